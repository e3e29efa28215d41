-- Removes a log that ends where that is expected. ARGV goes on: version, chain.
-- Answers `removed`, `conflict` or `gone`.
local last = last_entry()
if not last then return 'gone' end
if version_of(last) ~= tonumber(ARGV[3]) or string.sub(last[2][2], 2, 9) ~= ARGV[4] then return 'conflict' end
forget()
return 'removed'
