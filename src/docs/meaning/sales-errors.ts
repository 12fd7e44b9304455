import type { ErrorCode } from '../../base/error-codes.ts';
import type { ErrorMeaning } from './error-meaning.ts';

/** Errors because of the state of an order, a payment, an invoice, a cart or a stock. */
export const salesErrors = {
  order_not_payable: {
    en: {
      meaning:
        'The order takes no payment in its status: it is paid, cancelled, or further on. Only an order that waits for payment or was refused does. With `errors.amount`, its authorized and captured transactions cover the total.',
      remedy:
        'Read the order and its transactions. To replace what is authorized, set the order to refused, which cancels it, then pay again. If the merchant wants more money, place a new order.',
    },
    'pt-BR': {
      meaning:
        'O pedido não aceita pagamento no seu status: está pago, cancelado ou mais adiante. Só um pedido que aguarda pagamento ou foi recusado aceita. Com `errors.amount`, as transações autorizadas e capturadas cobrem o total.',
      remedy:
        'Leia o pedido e suas transações. Para trocar o que está autorizado, passe o pedido a recusado, o que o cancela, e pague de novo. Se ainda há algo a cobrar, crie um novo pedido.',
    },
    es: {
      meaning:
        'El pedido no admite un pago en su estado: está pagado, cancelado o más adelante. Solo lo admite un pedido que espera el pago o fue rechazado. Con `errors.amount`, las transacciones autorizadas y capturadas cubren el total.',
      remedy:
        'Lee el pedido y sus transacciones. Para reemplazar lo autorizado, pasa el pedido a rechazado, lo que lo anula, y paga de nuevo. Si aún hay algo que cobrar, crea un pedido nuevo.',
    },
  },
  order_not_paid: {
    en: {
      meaning: 'An invoice belongs to a paid order, and this one waits for payment or has ended.',
      remedy: 'Wait for the event `order.paid`, then issue the invoice.',
    },
    'pt-BR': {
      meaning:
        'Uma nota fiscal pertence a um pedido pago, e este aguarda pagamento ou já terminou.',
      remedy: 'Espere o evento `order.paid` e então emita a nota fiscal.',
    },
    es: {
      meaning: 'Una factura pertenece a un pedido pagado, y este espera el pago o ya terminó.',
      remedy: 'Espera el evento `order.paid` y emite entonces la factura.',
    },
  },
  too_many_transactions: {
    en: {
      meaning: 'The order has 100 transactions, which is the most that it can have.',
      remedy: 'Stop the program that retries the payment, and place a new order.',
    },
    'pt-BR': {
      meaning: 'O pedido tem 100 transações, o máximo que pode ter.',
      remedy: 'Pare o programa que repete o pagamento e crie um novo pedido.',
    },
    es: {
      meaning: 'El pedido tiene 100 transacciones, el máximo que puede tener.',
      remedy: 'Detén el programa que repite el pago y crea un pedido nuevo.',
    },
  },
  too_many_invoices: {
    en: {
      meaning: 'The order has 100 invoices, which is the most that it can have.',
      remedy: 'Correct or cancel an invoice that it has instead of issuing one more.',
    },
    'pt-BR': {
      meaning: 'O pedido tem 100 notas fiscais, o máximo que pode ter.',
      remedy: 'Corrija ou cancele uma nota existente em vez de emitir mais uma.',
    },
    es: {
      meaning: 'El pedido tiene 100 facturas, el máximo que puede tener.',
      remedy: 'Corrige o cancela una factura existente en vez de emitir otra.',
    },
  },
  transaction_status: {
    en: {
      meaning:
        'The status of the transaction does not allow this step; `errors.status` says what it can become. Often it was captured or cancelled already.',
      remedy: 'Read the transaction. If it has the status that you want, you are done.',
    },
    'pt-BR': {
      meaning:
        'O status da transação não permite este passo; `errors.status` diz o que ela pode se tornar. Muitas vezes já foi capturada ou cancelada.',
      remedy: 'Leia a transação. Se ela tem o status que você quer, está feito.',
    },
    es: {
      meaning:
        'El estado de la transacción no permite este paso; `errors.status` dice en qué puede convertirse. A menudo ya fue capturada o cancelada.',
      remedy: 'Lee la transacción. Si tiene el estado que quieres, ya está hecho.',
    },
  },
  invoice_cancelled: {
    en: {
      meaning: 'The invoice was cancelled, and a cancelled invoice no longer changes.',
      remedy: 'Issue a new invoice for the order.',
    },
    'pt-BR': {
      meaning: 'A nota fiscal foi cancelada, e uma nota cancelada não muda mais.',
      remedy: 'Emita uma nova nota fiscal para o pedido.',
    },
    es: {
      meaning: 'La factura fue cancelada, y una factura cancelada ya no cambia.',
      remedy: 'Emite una factura nueva para el pedido.',
    },
  },
  cart_converted: {
    en: {
      meaning: 'The cart has become an order, so it no longer changes.',
      remedy: 'Read `order_id` of the cart, and work with that order.',
    },
    'pt-BR': {
      meaning: 'O carrinho virou um pedido, por isso não muda mais.',
      remedy: 'Leia `order_id` do carrinho e trabalhe com esse pedido.',
    },
    es: {
      meaning: 'El carrito se convirtió en un pedido, por eso ya no cambia.',
      remedy: 'Lee `order_id` del carrito y trabaja con ese pedido.',
    },
  },
  cart_expired: {
    en: {
      meaning: 'Nothing happened to the cart for a long time, so it has expired.',
      remedy: 'Create a new cart with the same items; prices and stock may have changed.',
    },
    'pt-BR': {
      meaning: 'Nada aconteceu com o carrinho por muito tempo, e ele expirou.',
      remedy: 'Crie um carrinho com os mesmos itens; preços e estoque podem ter mudado.',
    },
    es: {
      meaning: 'Durante mucho tiempo no pasó nada con el carrito, y caducó.',
      remedy: 'Crea un carrito con los mismos artículos; precios y stock pueden haber cambiado.',
    },
  },
  cart_empty: {
    en: {
      meaning: 'The cart has no items, so there is nothing to order or to remind of.',
      remedy: 'Add an item first.',
    },
    'pt-BR': {
      meaning: 'O carrinho não tem itens; não há o que pedir nem o que lembrar.',
      remedy: 'Acrescente antes um item.',
    },
    es: {
      meaning: 'El carrito no tiene artículos; no hay nada que pedir ni que recordar.',
      remedy: 'Añade antes un artículo.',
    },
  },
  cart_without_buyer: {
    en: {
      meaning:
        'No buyer is known who could place the order: no customer, and no guest with a name and an e-mail address.',
      remedy: 'Set `customer_id`, or `tracking_data` with `name` and `email`, then check out.',
    },
    'pt-BR': {
      meaning: 'Não se sabe quem faria o pedido: não há cliente, nem visitante com nome e e-mail.',
      remedy: 'Defina `customer_id`, ou `tracking_data` com `name` e `email`, e finalize.',
    },
    es: {
      meaning: 'No se sabe quién haría el pedido: no hay cliente, ni invitado con nombre y correo.',
      remedy: 'Define `customer_id`, o `tracking_data` con `name` y `email`, y finaliza la compra.',
    },
  },
  cart_without_contact: {
    en: {
      meaning: 'The cart has no e-mail address and no phone number that a reminder could go to.',
      remedy: 'Set `customer_id`, or `tracking_data` with `email` or `phone`, then remind.',
    },
    'pt-BR': {
      meaning: 'O carrinho não tem e-mail nem telefone para onde um lembrete possa ir.',
      remedy:
        'Defina `customer_id`, ou `tracking_data` com `email` ou `phone`, e envie o lembrete.',
    },
    es: {
      meaning: 'El carrito no tiene correo ni teléfono al que pueda ir un recordatorio.',
      remedy:
        'Define `customer_id`, o `tracking_data` con `email` o `phone`, y envía el recordatorio.',
    },
  },
  out_of_stock: {
    en: {
      meaning:
        'A SKU has fewer free units than are ordered. `errors` names the items; nothing was reserved.',
      remedy: 'Order fewer units, leave the items out, or raise their stock.',
    },
    'pt-BR': {
      meaning:
        'Um SKU tem menos unidades livres do que se pede. `errors` diz quais itens; nada foi reservado.',
      remedy: 'Peça menos unidades, deixe os itens fora, ou aumente o estoque deles.',
    },
    es: {
      meaning:
        'Un SKU tiene menos unidades libres de las que se piden. `errors` nombra los artículos; no se reservó nada.',
      remedy: 'Pide menos unidades, omite los artículos, o aumenta su stock.',
    },
  },
  quantity_changed: {
    en: {
      meaning:
        'The stock no longer has the `expected_quantity` of your request: another request sold or changed units meanwhile. Nothing was changed.',
      remedy: 'Read the stock, decide again with its quantity, and repeat the change.',
    },
    'pt-BR': {
      meaning:
        'O estoque não tem mais a `expected_quantity` da sua requisição: alguém vendeu ou mudou unidades. Nada foi alterado.',
      remedy: 'Leia o estoque, decida de novo com a quantidade dele e repita a alteração.',
    },
    es: {
      meaning:
        'El stock ya no tiene la `expected_quantity` de tu solicitud: alguien vendió o cambió unidades. No se cambió nada.',
      remedy: 'Lee el stock, decide otra vez con su cantidad y repite el cambio.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, ErrorMeaning>>;
