-- Run this on the database of a shard that was restored to an earlier moment, before it serves requests again
-- (src/ops/OPERATIONS.md). It is safe to run again.

-- Sequence numbers that were assigned after that moment will be assigned a second time, so receivers must see a later
-- epoch. Seconds since 1970 are later than any epoch that an earlier restore set, whatever this restore brought back.
UPDATE webhook_endpoints SET epoch = max(epoch + 1, unixepoch());

INSERT INTO webhook_notices (store_id, endpoint_id, kind, at)
SELECT store_id, id, 'restored', unixepoch() * 1000 FROM webhook_endpoints WHERE status <> 3;

-- A code that was outstanding at that moment may have been redeemed after it.
UPDATE oauth_grants SET code_expires_at = min(code_expires_at, unixepoch() * 1000) WHERE generation = 0;

-- For a day, a refresh token of a later generation than its grant fast-forwards the grant, once.
UPDATE oauth_grants SET fast_forward_until = (unixepoch() + 86400) * 1000 WHERE revoked_at IS NULL;

-- A store may have moved since. None may be changed here until the sweep has asked the directory where it is, a minute later.
UPDATE placements SET state = 1 WHERE state = 0;
UPDATE outgoing_moves SET state = 6, reason = 'restored' WHERE state < 4;
UPDATE shard_identity SET unconfirmed = 1;

-- The data are those of another history. The copied facts of stores may be old: access tokens ask the directory until the same
-- sweep has copied them again.
UPDATE placements SET epoch = max(epoch + 1, unixepoch()), facts = '', version = 0;
