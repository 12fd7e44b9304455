curl -X POST '{{origin}}/v2/{{store}}/catalog/brands' \
  -H 'User-Token: {{user_token}}' \
  -H 'User-Secret-Key: {{user_secret}}' \
  -H 'Content-Type: application/json' \
  -d '{"name": "Sol", "active": true}'
