require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI('{{origin}}/v2/{{store}}/catalog/brands'),
  { name: 'Sol', active: true }.to_json,
  'User-Token' => '{{user_token}}',
  'User-Secret-Key' => '{{user_secret}}',
  'Content-Type' => 'application/json'
)
answer = JSON.parse(response.body)
abort "#{answer['code']}: #{answer['hint']} #{answer['errors']}" unless response.code == '201'

puts "Created brand #{answer['data']['id']}: #{answer['data']['name']}"
