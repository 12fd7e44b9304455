# curl waits as Retry-After says, and repeats the same request with the same key.
curl -X POST '{{origin}}/v2/{{store}}/catalog/brands' \
  --retry 5 --retry-all-errors --max-time 30 \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'User-Token: {{user_token}}' \
  -H 'User-Secret-Key: {{user_secret}}' \
  -H 'Content-Type: application/json' \
  -d '{"name": "Lua", "active": true}'
