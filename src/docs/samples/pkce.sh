# CLIENT_ID=your-client-id sh connect.sh
redirect_uri=http://127.0.0.1:9999/callback
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# 1. A verifier that only you know, and its digest.
verifier=$(openssl rand 32 | base64url)
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64url)
state=$(openssl rand 16 | base64url)

# 2. The merchant opens this address, and returns to your redirect URI.
echo "{{origin}}/oauth/authorize?response_type=code&client_id=$CLIENT_ID&redirect_uri=$redirect_uri&state=$state&code_challenge=$challenge&code_challenge_method=S256"
echo 'Paste the address that the merchant returned to:'
read -r callback
parameter() { printf %s "$callback" | sed -n "s/.*[?&]$1=\([^&]*\).*/\1/p"; }
[ "$(parameter state)" = "$state" ] || { echo 'The state is not ours.'; exit 1; }
[ -n "$(parameter code)" ] || { echo "The merchant did not consent: $(parameter error)"; exit 1; }

# 3. The code and the verifier get the tokens, within 60 seconds and once.
curl --fail-with-body --silent --show-error '{{origin}}/oauth/token' --output tokens.json \
  -d grant_type=authorization_code -d "client_id=$CLIENT_ID" -d "code=$(parameter code)" \
  --data-urlencode "redirect_uri=$redirect_uri" -d "code_verifier=$verifier" ||
  { cat tokens.json; exit 1; }
echo "Connected to $(sed -n 's/.*"merchant":"\([^"]*\)".*/\1/p' tokens.json)"
