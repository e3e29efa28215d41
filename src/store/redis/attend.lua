-- Says who watches a log on one node, and answers who watches it on others.
--
-- KEYS: feed, presence. ARGV: name, length of the feed, node, who watches there (empty: nobody), for how many
-- milliseconds that holds.
local feed, presence = KEYS[1], KEYS[2]
local name, feed_length, node, here, lasts = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', presence, '-inf', now - lasts)

local elsewhere, before = {}, ''
for _, there in ipairs(redis.call('ZRANGE', presence, 0, -1)) do
  if string.sub(there, 1, #node + 1) == node .. '|' then
    before = there
  else
    elsewhere[#elsewhere + 1] = there
  end
end

local after = here ~= '' and node .. '|' .. here or ''
if before ~= after then
  if before ~= '' then redis.call('ZREM', presence, before) end
  redis.call('XADD', feed, 'MAXLEN', '~', feed_length, '*', name, 'b' .. node)
end
if after ~= '' then
  redis.call('ZADD', presence, now, after)
  redis.call('PEXPIRE', presence, lasts)
end
return elsewhere
