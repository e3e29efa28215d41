-- Adds entries to some logs of one partition: to all of them or to none.
--
-- KEYS: feed, due, census, lobby of sessions, lobby of races; then log and facts of each append.
-- ARGV: nonce, length of the feed, `closing` if room is made for it, how many appends; then each append as `take` reads it.
-- Answers `added`, `conflict` or `gone`.
local feed, due, census = KEYS[1], KEYS[2], KEYS[3]
local lobbies = { s = KEYS[4], r = KEYS[5] }
local nonce, feed_length, growth = ARGV[1], ARGV[2], ARGV[3]

local at = 4
local function take()
  at = at + 1
  return ARGV[at]
end

local appends = {}
for i = 1, tonumber(ARGV[4]) do
  local append = {
    log = KEYS[4 + 2 * i], facts = KEYS[5 + 2 * i],
    name = take(), expected = tonumber(take()), behind = take(), made_at = take(), expires_at = take(),
    standing = take(), free_seats = take(), beside = take(), records = {},
  }
  for j = 1, tonumber(take()) do append.records[j] = take() end
  appends[i] = append
end

-- Nothing is written before everything has been checked. Whoever asks again, because an answer was lost, is
-- known by the nonce.
for _, append in ipairs(appends) do
  local last = redis.call('XREVRANGE', append.log, '+', '-', 'COUNT', 1)[1]
  local version = last and tonumber(string.match(last[1], '^%d+')) or 0
  local chain = last and string.sub(last[2][2], 2, 9) or append.behind
  if version ~= append.expected or chain ~= append.behind then
    local next_id = (append.expected + 1) .. '-0'
    local added = redis.call('XRANGE', append.log, next_id, next_id)[1]
    if added and added[2][4] == nonce then return 'added' end
    return last and 'conflict' or 'gone'
  end
end

-- Where there is no room left, Redis refuses a script that begins to write with what takes some. What brings
-- something to an end is let to, so it begins with what takes none.
if growth == 'closing' then redis.call('ZREM', due, '') end

for _, append in ipairs(appends) do
  local bytes = 0
  for i, record in ipairs(append.records) do
    redis.call('XADD', append.log, (append.expected + i) .. '-0', 'e', record, 'n', nonce)
    bytes = bytes + #record
  end

  local kind = string.sub(append.name, 1, 1)
  local known = redis.call('HMGET', append.facts, 's', 'd', 'b', 'l')
  local standing, looked_at, begun_at, listed = known[1], known[2], known[3], known[4] or ''
  if not begun_at then
    begun_at = append.made_at
    redis.call('HSET', append.facts, 'b', begun_at)
  end
  if standing ~= append.standing then
    if standing then redis.call('HINCRBY', census, kind .. '|' .. standing, -1) end
    redis.call('HINCRBY', census, kind .. '|' .. append.standing, 1)
    redis.call('HSET', append.facts, 's', append.standing)
  end
  -- A longer lease is found out when the shorter one ends; that way a move moves nothing here.
  if not looked_at or tonumber(append.expires_at) < tonumber(looked_at) then
    redis.call('ZADD', due, append.expires_at, append.name)
    redis.call('HSET', append.facts, 'd', append.expires_at)
  end
  local to_list = ''
  if append.free_seats ~= '' then
    to_list = string.sub(append.name, 3) .. '|' .. append.standing .. '|' .. append.free_seats
  end
  if to_list ~= listed then
    if listed ~= '' then redis.call('ZREM', lobbies[kind], listed) end
    if to_list ~= '' then redis.call('ZADD', lobbies[kind], begun_at, to_list) end
    redis.call('HSET', append.facts, 'l', to_list)
  end
  redis.call('HSET', append.facts, 'x', append.expires_at)
  redis.call('HINCRBY', append.facts, 'z', bytes)
  redis.call('HINCRBY', census, 'bytes', bytes)
  redis.call('HINCRBY', census, 'entries', #append.records)

  local version = append.expected + #append.records
  redis.call('XADD', feed, 'MAXLEN', '~', feed_length, '*', append.name, 'g' .. version)
  if append.beside ~= '' then
    redis.call('XADD', feed, 'MAXLEN', '~', feed_length, '*', append.beside, 'b')
  end
end
return 'added'
