-- Removes a log that ends where that is expected. KEYS go on: a note that is left there; ARGV: version, chain, nonce,
-- for how many seconds the note is kept. Whoever asks again, because an answer was lost, is known by it.
-- Answers `removed`, `conflict` or `gone`.
local last = last_entry()
if not last then return redis.call('GET', KEYS[8]) == ARGV[5] and 'removed' or 'gone' end
if version_of(last) ~= tonumber(ARGV[3]) or string.sub(last[2][2], 2, 9) ~= ARGV[4] then return 'conflict' end
forget()
redis.call('SET', KEYS[8], ARGV[5], 'EX', ARGV[6])
return 'removed'
