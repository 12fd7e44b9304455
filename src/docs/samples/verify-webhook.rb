# A Rack application: config.ru holds `require_relative 'ruby'` and `run Receiver`.
require 'json'
require 'openssl'

TOLERANCE = 300 # Seconds that a delivery may be old.

# Your secret; during a rotation the old and the new one, separated by a space.
SECRETS = ENV.fetch('WEBHOOK_SECRETS').split

def signature(key, content)
  [OpenSSL::HMAC.digest('SHA256', key, content)].pack('m0')
end

# Whether a delivery is genuine and fresh. body is the raw body, before anything parses it.
def verify(body, env)
  id = env['HTTP_WEBHOOK_ID'].to_s
  timestamp = env['HTTP_WEBHOOK_TIMESTAMP'].to_s
  return false unless timestamp.match?(/\A\d{1,12}\z/)
  return false if (Time.now.to_i - timestamp.to_i).abs > TOLERANCE

  content = "#{id}.#{timestamp}.".b + body.b
  sent = env['HTTP_WEBHOOK_SIGNATURE'].to_s.split.first(8)
  SECRETS.any? do |secret|
    key = secret.delete_prefix('whsec_').unpack1('m')
    expected = "v1,#{signature(key, content)}"
    sent.any? { |value| OpenSSL.secure_compare(expected, value) }
  end
end

# Whether a delivery is genuine, by the service's own header. It does not cover the time.
def verify_body(body, env)
  sent = env['HTTP_X_{{SERVICE}}_HMAC_SHA256'].to_s
  SECRETS.any? { |secret| OpenSSL.secure_compare(signature(secret, body), sent) }
end

Receiver = lambda do |env|
  body = env['rack.input'].read
  next [401, {}, []] unless verify(body, env)

  event = JSON.parse(body)
  # Store the event under its webhook-id, answer, and work afterwards.
  warn "#{env['HTTP_WEBHOOK_ID']} #{event['event']}"
  [204, {}, []]
end
