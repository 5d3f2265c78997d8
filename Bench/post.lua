-- Sends POST requests with a JSON body, going round a list of paths. For wrk; told by the environment.
local body = os.getenv("BENCH_BODY")
local paths = {}
for path in os.getenv("BENCH_PATHS"):gmatch("%S+") do paths[#paths + 1] = path end
local next = 0

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  next = next % #paths + 1
  return wrk.format(nil, paths[next], nil, body)
end
