import type { DocumentTexts } from '../../http/openapi/document-texts.ts';
import { operatorEnums } from './operator-enums.ts';
import { webhookEnums } from './webhook-enums.ts';

/** The states and kinds of checkout: their meaning, and the meaning of each value. */
const checkoutEnums: DocumentTexts['enums'] = {
  OrderStatus: {
    description:
      'Where an order is on its way to the buyer. Each status allows only some next ones; GET /{alias}/checkout/statuses lists them.',
    values: {
      waiting_payment: 'Placed, and no payment has arrived. Its units are reserved.',
      paid: 'The payment arrived. order.paid is sent once, at this moment.',
      handling_products: 'The shop picks and packs the products.',
      on_carriage: 'The carrier has the parcel.',
      delivered: 'The buyer has the parcel. Final.',
      cancelled: 'Given up; reserved units are free again. Final.',
      refused: 'The payment was refused. Another payment can still be made.',
      invoiced: 'The invoice is issued.',
      shipment_exception: 'The carrier reports a problem, such as a wrong address.',
      ready_for_shipping: 'Packed, and waits for the carrier.',
    },
  },
  OrderStatusId: {
    description: 'The number that stands for a status of an order.',
    values: {
      3: 'waiting_payment',
      4: 'paid',
      5: 'handling_products',
      6: 'on_carriage',
      7: 'delivered',
      8: 'cancelled',
      9: 'refused',
      10: 'invoiced',
      11: 'shipment_exception',
      12: 'ready_for_shipping',
    },
  },
  TransactionStatus: {
    description: 'How far the payment of an order has come.',
    values: {
      waiting_payment: 'The buyer has not paid yet, as with an open billet or Pix.',
      authorized: 'The card is charged only when you capture the transaction.',
      paid: 'The money is received.',
      refused: 'The provider refused it; transaction.payment.refused was sent. Final.',
      cancelled: 'Given up before it was paid. Final.',
      refunded: 'Paid, then given back. Final.',
    },
  },
  PaymentAlias: {
    description:
      'A way to pay. Every store has these six; their configuration decides which are on.',
    values: {
      credit_card: 'Credit card, authorized first and captured later or at once.',
      pix: "Instant transfer of Brazil's central bank.",
      pix_in_installments: 'Pix that the buyer pays in parts.',
      billet: 'Boleto: a bank slip with a last day to pay.',
      deposit: 'Transfer to the bank account of the store.',
      wallet: 'Digital wallet.',
    },
  },
  CartStatus: {
    description: 'Whether a cart can still become an order.',
    values: {
      open: 'Can be changed and ordered.',
      abandoned:
        'Idle for cart_idle_minutes with contact details; cart.reminder is sent. A change opens it again.',
      converted: 'Became the order in order_id. Final.',
      expired: '30 days passed without an edit. Final.',
    },
  },
  InvoiceStatus: {
    description: 'Whether an invoice is in force.',
    values: {
      issued: 'In force as it was issued.',
      corrected: 'In force, with a correction after it was issued.',
      cancelled: 'Without effect. It can no longer change.',
    },
  },
  TransactionOutcome: {
    description: 'What the provider is made to answer in a test store.',
    values: {
      authorize: 'The amount is blocked on the card, and you can capture it.',
      pay: 'The money arrives; an order that waits for payment becomes paid.',
      refuse: 'The payment fails; transaction.payment.refused is sent.',
    },
  },
  CustomerType: {
    description: 'Whether a buyer is a person or a company.',
    values: { f: 'A person, identified by a CPF.', j: 'A company, identified by a CNPJ.' },
  },
  AffiliationStatus: {
    description: 'Whether the payment provider accepts payments of the store.',
    values: {
      active: 'Payments are accepted.',
      pending: 'The provider has not decided yet.',
      refused: 'The provider declined the store.',
    },
  },
  GatewayAuthType: {
    description: 'How a store signs in at its payment provider.',
    values: {
      none: 'Nothing to sign in with.',
      key: 'With keys that the provider gives out.',
      oauth: "With the merchant's consent at the provider.",
    },
  },
  BooleanText: {
    description: 'A yes or no, written as text.',
    values: { true: 'Yes.', false: 'No.' },
  },
};

const catalogEnums: DocumentTexts['enums'] = {
  BundlePriceType: {
    description: 'What a unit of a SKU costs inside a kit.',
    values: {
      sku: 'The price of the SKU.',
      fixed: 'The price of the item.',
      discount: 'The price of the SKU less discount per cent.',
    },
  },
  BundleShippingType: {
    description: 'What the shipping of a kit costs, if custom_shipping is true.',
    values: {
      default: 'What the shop charges for any product.',
      fixed: 'shipping_price.',
      free: 'Nothing.',
    },
  },
  Stopwatch: {
    description: 'What a countdown in the shop runs to.',
    values: {
      daily: "The end of each day in the store's time zone.",
      period: 'end_at, which is then needed.',
    },
  },
  CustomizationType: {
    description: 'How the buyer fills in a customization.',
    values: {
      text: 'One line of text.',
      textarea: 'Text of several lines.',
      select: 'One of the listed values.',
    },
  },
};

const transferEnums: DocumentTexts['enums'] = {
  BulkStatus: {
    description: 'What became of one item of a bulk change.',
    values: {
      changed: 'Stored, and its event is sent.',
      unchanged: 'The SKU had these values already: nothing was written.',
      failed: 'Nothing was changed for this item; errors says why.',
    },
  },
  PriceName: {
    description: 'One of the prices of a SKU.',
    values: {
      price_sale: 'The regular price.',
      price_discount: 'The price of an offer, which buyers pay instead while it is set.',
      price_cost: 'What one unit costs you.',
    },
  },
  TransferState: {
    description: 'How far an import or export has come.',
    values: {
      waiting: 'Accepted, and not begun: it takes its turn among the stores.',
      running: 'Being worked on; done and total show how far.',
      paused: 'Stands still, and goes on by itself; reason says why.',
      done: 'Every line is dealt with. Lines of an import may have failed.',
      cancelled: 'Stopped before its end; reason says by whom. What was done stays.',
      failed: 'Cannot go on; reason says why. What was done stays.',
    },
  },
  TransferWait: {
    description: 'What an unfinished import or export waits for.',
    values: {
      earlier: 'A job of the same kind and store that began before it.',
      worker: 'Its first lines, which follow within a minute.',
      event_budget: "The store's event budget of the day is used up: it goes on within seconds.",
      retry: 'Another attempt, after the database did not respond: within minutes.',
    },
  },
  ImportKnownSkus: {
    description: 'What becomes of a line that names no product, but a SKU that the store has.',
    values: {
      refuse: 'It is an error: the SKU is taken.',
      change: 'It changes the product that has the SKU.',
      skip: 'It is left out, and counted.',
    },
  },
  ImportStock: {
    description: 'What becomes of the stock of SKUs that exist.',
    values: {
      keep: 'It stays as it is; how many differ is counted.',
      set: 'It is set to that of the file, or moved by what the file says has changed.',
    },
  },
  ImporterKind: {
    description: 'What began an import.',
    values: {
      user: 'A member, on the pages.',
      api_key: 'A program with an API key.',
      app: 'An app with a token.',
    },
  },
  TransferReason: {
    description: 'Why an import or export does not run.',
    values: {
      event_budget: "The store's event budget of the day is used up: it goes on within seconds.",
      requested: 'A caller cancelled it.',
      access_ended: 'The key or the connection that began it was revoked.',
      file_lost: 'Its file is not stored any more. Send it again.',
    },
  },
};

const requestEnums: DocumentTexts['enums'] = {
  MailEncryption: {
    description: 'How the connection to the mail server is protected.',
    values: {
      tls: 'TLS from the first byte, usually on port 465.',
      ssl: 'An older name of tls.',
      starttls: 'Starts in plain text and switches to TLS, usually on port 587.',
      none: 'Not at all: the password is readable on the way.',
    },
  },
  SortDirection: {
    description: 'Whether a list starts with the smallest or the largest value.',
    values: { asc: 'Smallest, oldest or first letter first.', desc: 'The other way round.' },
  },
  AuditActorKind: {
    description: 'What did something.',
    values: {
      user: 'A person, on the pages.',
      operator: 'A person who runs the service.',
      api_key: 'A program with an API key.',
      app: 'An app that the merchant connected.',
      system: 'The service itself.',
    },
  },
  AuditTargetKind: {
    description: 'What an entry of the activity is about.',
    values: {
      api_key: 'An API key.',
      app: 'A partner app, or its connection to the store.',
      email_configuration: 'The mail account that the store sends from.',
      host: 'A host that assistants come from.',
      invitation: 'An invitation that is not accepted yet.',
      payment_configuration: 'The configuration of a payment type.',
      record: 'A record that an assistant changed; action is the operation.',
      settings: 'The settings of the store.',
      shard: 'A database of the service.',
      store: 'The store itself.',
      user: 'A person: a member of the store, or any user of the service.',
      webhook: 'A webhook.',
    },
  },
  SearchJoin: {
    description: 'How several values of search are combined.',
    values: { and: 'All of them must match.', or: 'One of them is enough.' },
  },
};

/** The named enums: their meaning, and the meaning of each value. */
export const enumTexts: DocumentTexts['enums'] = {
  ...checkoutEnums,
  ...catalogEnums,
  ...transferEnums,
  ...webhookEnums,
  ...requestEnums,
  ...operatorEnums,
};
