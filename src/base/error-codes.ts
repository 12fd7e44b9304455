/**
 * Every `code` of an error: its status, and the `hint`, a sentence that says what the caller does
 * about it. A code is part of the contract. Its full meaning is in
 * `docs/meaning/error-meanings.ts`.
 */
export const errorCodes = {
  invalid_query: [400, 'Correct the query parameters that errors names, or leave them out.'],
  invalid_id: [400, 'Send the id of a record in the path, as a response of this API has it.'],
  malformed_body: [400, 'Send a JSON object in UTF-8 that a JSON parser accepts.'],
  invalid_idempotency_key: [
    400,
    'Send a key of 1 to 255 printable ASCII characters, such as a UUID.',
  ],
  invalid_precondition: [
    400,
    'Send If-Match or If-None-Match as *, or with entity tags as ETag has them: in double quotes, separated by commas.',
  ],
  answer_too_large: [400, 'Ask for fewer records with limit, or name fewer relations in include.'],
  list_too_long: [400, 'Add a filter, or order by id.'],
  unauthenticated: [
    401,
    'Check that the credentials are complete and current: an API key may be deleted, an access token expires after 10 minutes.',
  ],
  credentials_incomplete: [
    401,
    'Send User-Token and User-Secret-Key, or Authorization: Bearer and X-Partner-Client-ID.',
  ],
  credentials_ambiguous: [
    401,
    'Send either an API key or Authorization: Bearer; one request cannot have both.',
  ],
  store_not_accessible: [
    403,
    'Check the alias in the path, since these credentials open no active store of that name; POST /v2/auth/me lists their stores.',
  ],
  insufficient_scope: [
    403,
    'Let the merchant authorize the app again with the scope that errors names.',
  ],
  key_not_for_store: [
    403,
    'Use an API key that was created for this store, or create one on the account pages.',
  ],
  second_factor_required: [
    403,
    'Let the user of this API key, or the member who connected this app, set up a second factor on the account pages: this store requires one of all its members.',
  ],
  origin_not_allowed: [
    403,
    'Call from a page that is served over https, or from a program that sends no Origin.',
  ],
  operator_only: [
    403,
    'Use an API key for operators, of an operator who has a second factor; no other caller may do this.',
  ],
  test_store_only: [
    403,
    'Use a test store: no other store simulates payments or has a clock to advance.',
  ],
  not_found: [404, 'Check the ids in the path: this store has no such record, or it was deleted.'],
  unknown_reference: [404, 'Replace the ids that errors names: this store has no such records.'],
  empty_list: [404, 'Treat it as an empty list, or widen the query: nothing matches.'],
  unknown_path: [404, 'Compare the path with the reference; it has no slash at the end.'],
  method_not_allowed: [405, 'Use one of the methods that the header Allow names.'],
  not_acceptable: [406, 'Send Accept: application/json, or leave the header out.'],
  confirmation_required: [
    409,
    'Ask the person, then repeat the call with confirm: the word that errors has.',
  ],
  order_not_payable: [
    409,
    'Read the order: its status allows no further payment, or its transactions cover the total.',
  ],
  order_not_paid: [409, 'Wait for the event order.paid, then issue the invoice.'],
  too_many_transactions: [409, 'Go on with a transaction that the order has.'],
  too_many_invoices: [409, 'Correct an invoice that the order has.'],
  transaction_status: [409, 'Read the transaction, and ask for a step that its status allows.'],
  invoice_cancelled: [409, 'Issue a new invoice: a cancelled one no longer changes.'],
  cart_converted: [409, 'Read the order of this cart, and change that.'],
  cart_expired: [409, 'Create a new cart.'],
  cart_empty: [409, 'Add an item to the cart first.'],
  cart_without_buyer: [
    409,
    'Give the cart a customer, or tracking_data with a name and an e-mail address.',
  ],
  cart_without_contact: [
    409,
    'Give the cart a customer, or tracking_data with an e-mail address or a phone number.',
  ],
  out_of_stock: [409, 'Order fewer units of the items that errors names, or refill their stock.'],
  quantity_changed: [409, 'Read the stock again, and repeat the change with its quantity.'],
  not_held: [409, 'Read the delivery again: it has been sent, or is being sent.'],
  not_sent_yet: [409, 'Wait: the delivery is still to be sent for the first time.'],
  replay_under_way: [409, 'Wait until the replay that runs has ended.'],
  rotation_under_way: [409, 'Commit the rotation that has begun, or wait until its overlap ends.'],
  no_rotation: [409, 'Begin a rotation of the secret first.'],
  too_many_transfers: [
    409,
    'Wait until one of the imports or exports that are unfinished has ended, or cancel one.',
  ],
  export_not_ready: [409, 'Read the export until its state is done, then ask for the file.'],
  test_store_full: [
    409,
    'Delete carts, or reset the test store: its clock advances at most 500 records that wait.',
  ],
  alias_taken: [409, 'Choose another alias: a store has this one.'],
  email_taken: [409, 'Choose another address: a user has this one.'],
  no_room: [409, 'No database takes new stores at the moment.'],
  second_factor_missing: [
    409,
    'Let the user set up a second factor first: operators of this service must have one.',
  ],
  no_second_factor: [409, 'Do nothing: the user has no second factor that could be removed.'],
  user_is_operator: [409, 'Take the powers of an operator away first.'],
  user_erased: [409, 'Create another user: the data of this one are erased for ever.'],
  user_inactive: [409, 'Reactivate the user first.'],
  owner_stays: [409, 'Let the owner hand the store over first.'],
  too_many_invitations: [409, 'Revoke open invitations first: a store has at most 50.'],
  last_operator: [409, 'Make another user an operator first: the service must keep one.'],
  closed_too_recently: [
    409,
    'Close the store and wait for 30 days, or ask with immediately for an erasure that another operator confirms.',
  ],
  second_operator_needed: [
    409,
    'Let another operator confirm it: both must be ones for seven days, and neither made the other one, also by way of others.',
  ],
  nothing_to_confirm: [409, 'Ask for the erasure again: what was asked for has ended or lapsed.'],
  store_erased: [409, 'Create another store: the data of this one are erased for ever.'],
  move_not_done: [
    409,
    'Wait until the move is done; one that failed or was cancelled leaves no old data behind.',
  ],
  job_under_way: [409, 'Wait until the job of this kind that runs has ended, or cancel it.'],
  job_irrevocable: [409, 'Wait until the job has ended: what it does cannot be undone any more.'],
  user_owns_stores: [
    409,
    'Hand over or erase the stores of this user, and disable the apps, before the user is erased.',
  ],
  request_under_way: [409, 'Repeat the request unchanged after Retry-After to get its response.'],
  answer_lost: [409, 'Read the record: the change was made, and a repetition changes nothing.'],
  gone: [410, 'Read the record itself: what is asked for was deleted after its retention period.'],
  precondition_failed: [
    412,
    'Read the record again, apply your change to it, and send If-Match with its ETag.',
  ],
  body_too_large: [413, 'Send at most 1 MiB; split the work into several requests.'],
  unsupported_media_type: [415, 'Send the body with the header Content-Type: application/json.'],
  misdirected_request: [421, 'Use localhost, 127.0.0.1, or a name in LOCAL_HOSTS.'],
  invalid_body: [422, 'Correct the fields that errors names, and send the request again.'],
  key_reused: [422, 'Use a new Idempotency-Key for every new request.'],
  rate_limited: [429, 'Wait for the seconds of Retry-After, then send fewer requests at once.'],
  event_budget: [
    429,
    'Wait for the seconds of Retry-After: the store is beyond its event budget of the day (UTC).',
  ],
  internal_error: [500, 'Repeat the request once; if it fails again, report its request_id.'],
  unavailable: [
    503,
    'Repeat the request after the seconds of Retry-After; a write with its Idempotency-Key, since it may have been made.',
  ],
  storage_full: [
    503,
    'Stop writing for now: the operators have been notified, and reads still work.',
  ],
} as const satisfies Record<string, readonly [status: number, hint: string]>;

/** The `code` of an error body. */
export type ErrorCode = keyof typeof errorCodes;

/** The codes with one of these statuses. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code][0] extends Status ? Code : never;
}[ErrorCode];
