require 'json'
require 'net/http'

headers = { 'User-Token' => '{{user_token}}', 'User-Secret-Key' => '{{user_secret}}' }
url = '{{origin}}/v2/{{store}}/catalog/products?limit=100&include=skus'
count = 0
until url.empty?
  response = Net::HTTP.get_response(URI(url), headers)
  page = JSON.parse(response.body)
  abort "#{page['code']}: #{page['hint']} #{page['errors']}" unless response.code == '200'

  page['data'].each { |product| puts "#{product['id']} #{product['name']}" }
  count += page['data'].size
  url = page['meta']['pagination']['links']['next']
end
puts "#{count} products"
