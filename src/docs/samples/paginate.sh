# Follows the Link header, as rel="next" names the next page.
url='{{origin}}/v2/{{store}}/catalog/products?limit=100&include=skus'
while [ -n "$url" ]; do
  curl --fail-with-body --silent --show-error --dump-header headers.txt "$url" \
    -H 'User-Token: {{user_token}}' -H 'User-Secret-Key: {{user_secret}}' || exit 1
  echo
  url=$(sed -n 's/^[Ll]ink: .*<\([^>]*\)>; rel="next".*/\1/p' headers.txt)
done
