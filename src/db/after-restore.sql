-- For the database of a shard that was restored to an earlier moment, before it serves again (README, "Restore a
-- shard"). Run again it does no harm.

-- Sequence numbers that were given since are given again. Seconds since 1970 are an epoch that no earlier restore can
-- have given, whatever this one brought back.
UPDATE webhook_endpoints SET epoch = max(epoch + 1, unixepoch());

INSERT INTO webhook_notices (store_id, endpoint_id, kind, at)
SELECT store_id, id, 'restored', unixepoch() * 1000 FROM webhook_endpoints WHERE status <> 3;

-- A code that was outstanding then may have been redeemed since.
UPDATE oauth_grants SET code_expires_at = min(code_expires_at, unixepoch() * 1000) WHERE generation = 0;

-- For a day a refresh token that is later than its grant brings the grant up to it, once.
UPDATE oauth_grants SET forward_until = (unixepoch() + 86400) * 1000 WHERE revoked_at IS NULL;
