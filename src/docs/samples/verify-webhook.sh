# Checks a delivery by hand: body.json holds its raw body, the variables come from its headers.
# WEBHOOK_SECRET=whsec_... ID=evt_... TIMESTAMP=1956484800 sh verify.sh

# The value that X-{{service}}-Hmac-SHA256 must have: the key is the whole text of the secret.
openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -binary body.json | openssl base64 -A
echo

# A value that webhook-signature must list: the key is what the secret encodes.
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
printf v1,
{ printf %s "$ID.$TIMESTAMP." && cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A
echo
