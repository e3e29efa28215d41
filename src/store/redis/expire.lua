-- Removes a log that has expired by now, or looks at it again when it will have. ARGV goes on: now.
-- Answers 1 if it was removed.
local expires_at = redis.call('HGET', facts, 'x')
if expires_at and tonumber(expires_at) > tonumber(ARGV[3]) then
  redis.call('ZREM', due, name)
  redis.call('ZADD', due, expires_at, name)
  redis.call('HSET', facts, 'd', expires_at)
  return 0
end
local was_there = redis.call('EXISTS', log)
forget()
return was_there
