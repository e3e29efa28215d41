-- What removing a log takes, for the scripts that do.
--
-- KEYS: feed, due, census, lobby of sessions, lobby of races, log, facts, … ARGV: name, length of the feed, …
--
-- Where there is no room left, Redis refuses a script that begins to write with what takes some. So these begin
-- with what gives some back.
local feed, due, census, log, facts = KEYS[1], KEYS[2], KEYS[3], KEYS[6], KEYS[7]
local lobbies = { s = KEYS[4], r = KEYS[5] }
local name, feed_length = ARGV[1], ARGV[2]
local kind = string.sub(name, 1, 1)

local function last_entry()
  return redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
end

local function version_of(entry)
  return tonumber(string.match(entry[1], '^%d+'))
end

local function forget()
  local last = last_entry()
  local known = redis.call('HMGET', facts, 's', 'l', 'z')
  redis.call('DEL', log, facts)
  if known[1] then redis.call('HINCRBY', census, kind .. '|' .. known[1], -1) end
  if known[2] and known[2] ~= '' then redis.call('ZREM', lobbies[kind], known[2]) end
  if known[3] then redis.call('HINCRBY', census, 'bytes', -tonumber(known[3])) end
  if last then redis.call('HINCRBY', census, 'entries', -version_of(last)) end
  redis.call('ZREM', due, name)
  redis.call('XADD', feed, 'MAXLEN', '~', feed_length, '*', name, 'u')
end
