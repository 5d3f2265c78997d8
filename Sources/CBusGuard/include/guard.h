/* Nothing: Mosquitto finds the plugin by the names that it asks a shared object for. */
