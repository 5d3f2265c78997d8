-- Sends POST requests with a JSON body, going round a list of paths, each time as the next of some people. For wrk; told by the environment.
local body = os.getenv("BENCH_BODY")
local paths, people = {}, {}
for path in os.getenv("BENCH_PATHS"):gmatch("%S+") do paths[#paths + 1] = path end
for authorization in (os.getenv("BENCH_AUTHORIZATIONS") or ""):gmatch("[^\n]+") do
  people[#people + 1] = { ["Content-Type"] = "application/json", ["Authorization"] = authorization }
end
local next, person = 0, 0

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  if next == 0 and #people > 0 then person = person % #people + 1 end
  next = next % #paths + 1
  local path = paths[next]
  if next == #paths then next = 0 end
  return wrk.format(nil, path, people[person], body)
end
