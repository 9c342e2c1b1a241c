-- Asks for the lines of the file that BENCH_LINES names, one after the other: a method, a path, a body
-- and "Name: value" for each header, with tabs between; in a body, \r and \n are escaped.
-- With BENCH_ONCE it stops at the end and says so, since wrk sleeps on; else it starts again.
local requests = {}
local next_line = 0
local once = os.getenv("BENCH_ONCE") ~= nil

function init()
  for line in io.lines(os.getenv("BENCH_LINES")) do
    local method, path, body, rest = line:match("^([^\t]*)\t([^\t]*)\t?([^\t]*)(.*)$")
    local headers = {}
    for name, value in rest:gmatch("\t([^:\t]+): ([^\t]*)") do headers[name] = value end
    if body == "" then
      requests[#requests + 1] = wrk.format(method, path, headers)
    else
      body = body:gsub("\\r", "\r"):gsub("\\n", "\n")
      requests[#requests + 1] = wrk.format(method, path, headers, body)
    end
  end
end

function request()
  next_line = next_line + 1
  if next_line > #requests then
    if once then
      wrk.thread:stop()
      io.write("END\n")
      io.flush()
    end
    next_line = 1
  end
  return requests[next_line]
end

function done(summary, latency)
  io.write(string.format(
    'RESULT {"requests":%d,"bytes":%d,"micros":%d,"p50":%d,"p99":%d,"failed":%d,"refused":%d}\n',
    summary.requests, summary.bytes, summary.duration,
    latency:percentile(50), latency:percentile(99),
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    summary.errors.status))
end
