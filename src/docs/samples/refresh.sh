# curl repeats the request with the same refresh token when the answer is lost: that is safe for two minutes.
refresh_token=$(sed -n 's/.*"refresh_token": *"\([^"]*\)".*/\1/p' tokens.json)
curl --fail-with-body --silent --show-error --output tokens.new \
  --retry 4 --retry-all-errors --max-time 10 \
  '{{origin}}/oauth/token' \
  -d grant_type=refresh_token -d "client_id=$CLIENT_ID" -d "refresh_token=$refresh_token" ||
  { cat tokens.new; exit 1; }
# Store the new tokens before you use them. Both old ones are replaced.
mv tokens.new tokens.json
echo 'Refreshed'
