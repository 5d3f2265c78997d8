import Box
import Testing
