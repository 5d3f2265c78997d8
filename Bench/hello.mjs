// The usual way to do the same work: node's own http module.
//
//   GET  /api/gates/5   a route with a parameter behind a session cookie, JSON
//   POST /json          parses a JSON body, checks its shape, answers JSON
//
// node hello.mjs PORT; prints "ready PORT"; ends on SIGTERM.
import { createServer } from 'node:http'

const port = Number(process.argv[2])
const sessions = new Map([['bench', { user: 7 }]])

function send(response, status, value, type = 'application/json') {
  const text = JSON.stringify(value)
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  })
  response.end(text)
}

function problem(response, status, title) {
  send(response, status, { type: 'about:blank', title, status }, 'application/problem+json')
}

function session(request) {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=')
    if (name === 'session') return sessions.get(value)
  }
}

function isMessage(value) {
  return Number.isInteger(value?.id) && typeof value.name === 'string' && typeof value.device === 'string'
    && typeof value.value === 'number' && typeof value.ok === 'boolean' && typeof value.ts === 'string'
    && Array.isArray(value.tags) && value.tags.every(tag => typeof tag === 'string')
}

function greet(request, response) {
  const pieces = []
  let length = 0
  request.on('data', piece => {
    length += piece.length
    if (length > 65536) request.destroy()
    else pieces.push(piece)
  })
  request.on('end', () => {
    let message
    try {
      message = JSON.parse(Buffer.concat(pieces).toString('utf8'))
    } catch {
      return problem(response, 400, 'Not JSON')
    }
    if (!isMessage(message)) return problem(response, 422, 'Wrong shape')
    send(response, 200, {
      id: message.id, greeting: 'hello ' + message.name, sum: message.value * 2, n: message.tags.length,
    })
  })
}

const gate = /^\/api\/gates\/(\d+)$/

createServer((request, response) => {
  const match = gate.exec(request.url)
  if (request.method === 'GET' && match) {
    const principal = session(request)
    if (!principal) return problem(response, 401, 'Not signed in')
    return send(response, 200, { id: Number(match[1]), greeting: 'hello', open: false, user: principal.user })
  }
  if (request.method === 'POST' && request.url === '/json') {
    if (request.headers['content-type'] !== 'application/json') return problem(response, 415, 'Not JSON')
    return greet(request, response)
  }
  problem(response, 404, 'Not found')
}).listen(port, '127.0.0.1', () => console.log(`ready ${port}`))
