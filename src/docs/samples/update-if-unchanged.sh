# 1. Read the record and keep its ETag.
etag=$(curl --silent --output /dev/null --dump-header - \
  '{{origin}}/v2/{{store}}/catalog/brands/1' \
  -H 'User-Token: {{user_token}}' -H 'User-Secret-Key: {{user_secret}}' |
  tr -d '\r' | sed -n 's/^[Ee][Tt]ag: //p')

# 2. Change it, unless another caller has changed it since: then the answer is 412.
curl -X PUT '{{origin}}/v2/{{store}}/catalog/brands/1' \
  -H "If-Match: $etag" \
  -H 'User-Token: {{user_token}}' -H 'User-Secret-Key: {{user_secret}}' \
  -H 'Content-Type: application/json' \
  -d '{"name": "Serra Azul", "active": true}'
