curl -X PUT '{{origin}}/v2/{{store}}/catalog/stocks' \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -H 'User-Token: {{user_token}}' \
  -H 'User-Secret-Key: {{user_secret}}' \
  -H 'Content-Type: application/json' \
  -d '{"items": [
        {"sku": "CAFE-GRAO-250", "quantity": 40},
        {"sku": "NO-SUCH-SKU", "quantity": 5}
      ]}'
