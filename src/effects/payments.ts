import { HEADER_KEY, type CatalogueEntry, type Operation } from './entry.js'

export const payment = { title: 'payment', kind: 'money', latency: 'payment' } as const
/** Every write of an SDK whose resources all concern money. */
const WRITES = [
  '*.create',
  '*.update',
  '*.cancel',
  '*.capture',
  '*.confirm',
  '*.refund',
  '*.pay',
  '*.del',
  '*.delete',
  '*.void',
  '*.approve',
  '*.createTransfer',
]

/** `/0/private/OpenOrders`, `/reporting/list`. */
const READING_PATH =
  /\/(private\/)?(Balance|TradeBalance|OpenOrders|ClosedOrders|QueryOrders|TradesHistory|get\w*|list\w*|verify-webhook-signature)\/?$/

export function payments(
  provider: string,
  hosts: readonly string[],
  packages: readonly string[],
  idempotency?: Operation['idempotency'],
): CatalogueEntry {
  const operation: Operation = { ...payment, title: 'payment call', calls: WRITES }
  return {
    provider,
    hosts,
    packages,
    operations: [idempotency === undefined ? operation : { ...operation, idempotency }],
    // Quotes, previews and private look-ups (exchanges) are a POST without moving anything
    reads: {
      paths: [
        /\/(search|query|lookup|previews?|pricing-preview|quotes?|estimates?|calculate|resolve|webhooks\/verify)\/?$/,
        READING_PATH,
      ],
    },
  }
}

const STRIPE_KEY = { ...HEADER_KEY, options: ['idempotencyKey'] }
const squareKey = { bodyFields: ['idempotency_key', 'idempotencyKey'] }

/** Money: a person or an account is charged twice. */
export const PAYMENTS: readonly CatalogueEntry[] = [
  {
    // Key for at least 24 h; the SDK's own automatic key is new for every call (stripe-node 6639421)
    provider: 'Stripe',
    packages: ['stripe'],
    hosts: ['api.stripe.com'],
    operations: [
      {
        ...payment,
        title: 'charge',
        idempotency: STRIPE_KEY,
        paths: [/\/(payment_intents|charges)(\/[^/]+(\/(confirm|capture))?)?\/?$/],
        calls: [
          'paymentIntents.create',
          'paymentIntents.confirm',
          'paymentIntents.capture',
          'charges.create',
          'charges.capture',
        ],
      },
      {
        ...payment,
        title: 'refund',
        idempotency: STRIPE_KEY,
        paths: [/\/refunds\/?$/, /\/refund\/?$/],
        calls: ['refunds.create', 'charges.refund'],
      },
      {
        ...payment,
        title: 'transfer or payout',
        idempotency: STRIPE_KEY,
        paths: [/\/(transfers|payouts)(\/|$)/],
        calls: ['transfers.create', 'payouts.create', 'transfers.createReversal'],
      },
      {
        ...payment,
        title: 'invoice',
        idempotency: STRIPE_KEY,
        paths: [/\/(invoices|invoiceitems|credit_notes)(\/|$)/],
        calls: [
          'invoices.create',
          'invoices.pay',
          'invoices.finalizeInvoice',
          'invoices.sendInvoice',
          'invoices.update',
          'invoices.voidInvoice',
          'invoiceItems.create',
          'creditNotes.create',
        ],
      },
      {
        ...payment,
        title: 'usage record',
        idempotency: { ...STRIPE_KEY, bodyFields: ['identifier'] },
        paths: [/\/billing\/meter_events/, /\/usage_records\/?$/],
        calls: [
          'billing.meterEvents.create',
          'meterEvents.create',
          'subscriptionItems.createUsageRecord',
          'meterEventStream.create',
        ],
      },
      {
        ...payment,
        title: 'payment call',
        idempotency: STRIPE_KEY,
        calls: [
          ...WRITES,
          '*.createBalanceTransaction',
          '*.attach',
          '*.detach',
          '*.resume',
          '*.deleteDiscount',
          '*.createLoginLink',
        ],
      },
    ],
    none: {
      paths: [
        /\/ephemeral_keys\/?$/,
        /\/account_(links|sessions)\/?$/,
        /\/billing_portal\/sessions\/?$/,
        /\/customer_sessions\/?$/,
      ],
      calls: [
        'webhooks.constructEvent',
        'webhooks.constructEventAsync',
        'ephemeralKeys.create',
        'accountLinks.create',
        'accountSessions.create',
        'billingPortal.sessions.create',
        'tokens.create',
        'createFetchHttpClient',
        'createSubtleCryptoProvider',
      ],
    },
    reads: {
      paths: [/\/invoices\/(create_preview|upcoming)\/?$/],
      calls: ['invoices.createPreview', 'invoices.retrieveUpcoming'],
    },
  },
  payments(
    'PayPal',
    ['api-m.paypal.com', 'api-m.sandbox.paypal.com', 'api.paypal.com', 'api.sandbox.paypal.com'],
    ['@paypal/paypal-server-sdk', '@paypal/checkout-server-sdk', 'paypal-rest-sdk', '@paypal/payouts-sdk'],
    { headers: ['paypal-request-id'], bodyFields: ['paypalRequestId'] },
  ),
  payments('Square', ['connect.squareup.com', 'connect.squareupsandbox.com'], ['square'], squareKey),
  payments('Adyen', ['*.adyen.com', '*.adyenpayments.com'], ['@adyen/api-library'], STRIPE_KEY),
  payments('Mollie', ['api.mollie.com'], ['@mollie/api-client'], {
    ...HEADER_KEY,
    bodyFields: ['idempotencyKey'],
    options: ['idempotencyKey'],
  }),
  payments('Paddle', ['api.paddle.com', 'sandbox-api.paddle.com', 'vendors.paddle.com'], ['@paddle/paddle-node-sdk']),
  payments('Lemon Squeezy', ['api.lemonsqueezy.com'], ['@lemonsqueezy/lemonsqueezy.js']),
  payments('Razorpay', ['api.razorpay.com'], ['razorpay'], { headers: ['x-payout-idempotency'] }),
  payments('Mercado Pago', ['api.mercadopago.com'], ['mercadopago'], {
    headers: ['x-idempotency-key'],
    options: ['idempotencyKey'],
  }),
  payments('Asaas', ['api.asaas.com', 'www.asaas.com', 'sandbox.asaas.com', 'api-sandbox.asaas.com'], []),
  payments('Pagar.me', ['api.pagar.me'], ['pagarme', '@pagarme/pagarme-nodejs-sdk'], HEADER_KEY),
  payments('PagSeguro', ['api.pagseguro.com', 'sandbox.api.pagseguro.com', 'ws.pagseguro.uol.com.br'], [], {
    headers: ['x-idempotency-key'],
  }),
  payments('Iugu', ['api.iugu.com'], []),
  payments(
    'Efí',
    ['pix.api.efipay.com.br', 'cobrancas.api.efipay.com.br', 'api-pix.gerencianet.com.br'],
    ['sdk-node-apis-efi', 'gn-api-sdk-node'],
  ),
  payments('Woovi', ['api.openpix.com.br', 'api.woovi.com'], ['@woovi/node-sdk'], { bodyFields: ['correlationID'] }),
  payments('AbacatePay', ['api.abacatepay.com'], ['abacatepay-nodejs-sdk']),
  payments('Stark Bank', ['api.starkbank.com'], ['starkbank']),
  payments('Wise', ['api.wise.com', 'api.transferwise.com', 'api.sandbox.transferwise.tech'], [], {
    bodyFields: ['customerTransactionId'],
  }),
  payments('Paystack', ['api.paystack.co'], ['paystack', '@paystack/paystack-sdk'], { bodyFields: ['reference'] }),
  payments('Flutterwave', ['api.flutterwave.com'], ['flutterwave-node-v3'], {
    headers: ['x-idempotency-key'],
    bodyFields: ['reference', 'tx_ref'],
  }),
  payments('GoCardless', ['api.gocardless.com', 'api-sandbox.gocardless.com'], ['gocardless-nodejs'], HEADER_KEY),
  payments(
    'Checkout.com',
    ['api.checkout.com', '*.api.checkout.com', 'api.sandbox.checkout.com'],
    ['checkout-sdk-node'],
    { headers: ['cko-idempotency-key'] },
  ),
  payments('Braintree', ['api.braintreegateway.com', 'payments.braintree-api.com'], ['braintree']),
  payments('Authorize.net', ['api.authorize.net', 'apitest.authorize.net'], ['authorizenet']),
  payments('Dwolla', ['api.dwolla.com', 'api-sandbox.dwolla.com'], ['dwolla-v2', 'dwolla'], HEADER_KEY),
  payments('Polar', ['api.polar.sh', 'sandbox-api.polar.sh'], ['@polar-sh/sdk']),
  payments('Dodo Payments', ['live.dodopayments.com', 'test.dodopayments.com'], ['dodopayments']),
  payments('Chargebee', ['*.chargebee.com'], ['chargebee', 'chargebee-typescript'], {
    headers: ['chargebee-idempotency-key'],
  }),
  payments('Recurly', ['v3.recurly.com'], ['recurly'], HEADER_KEY),
  payments('Xendit', ['api.xendit.co'], ['xendit-node'], {
    headers: ['idempotency-key', 'x-idempotency-key'],
    bodyFields: ['idempotencyKey'],
  }),
  payments(
    'Midtrans',
    ['api.midtrans.com', 'app.midtrans.com', 'api.sandbox.midtrans.com', 'app.sandbox.midtrans.com'],
    ['midtrans-client'],
    HEADER_KEY,
  ),
  payments('Iyzico', ['api.iyzipay.com', 'sandbox-api.iyzipay.com'], ['iyzipay']),
  payments('PhonePe', ['api.phonepe.com', 'api-preprod.phonepe.com'], []),
  payments('Cashfree', ['api.cashfree.com', 'sandbox.cashfree.com', 'payout-api.cashfree.com'], ['cashfree-pg'], {
    headers: ['x-idempotency-key'],
  }),
  payments('Toss Payments', ['api.tosspayments.com'], [], HEADER_KEY),
  payments('Klarna', ['api.klarna.com', 'api.playground.klarna.com', 'api-na.klarna.com'], [], {
    headers: ['klarna-idempotency-key'],
  }),
  payments('Airwallex', ['api.airwallex.com', 'api-demo.airwallex.com'], [], { bodyFields: ['request_id'] }),
  payments('Mangopay', ['api.mangopay.com', 'api.sandbox.mangopay.com'], ['mangopay2-nodejs-sdk'], HEADER_KEY),
  payments('Lemonway', ['api.lemonway.fr'], []),
  payments('Tap', ['api.tap.company'], []),
  payments('PortOne', ['api.portone.io', 'api.iamport.kr'], ['@portone/server-sdk'], HEADER_KEY),
  payments('Yoco', ['payments.yoco.com'], [], HEADER_KEY),
  payments('PayFast', ['api.payfast.co.za'], []),
  payments('Conekta', ['api.conekta.io'], ['conekta']),
  payments('Wompi', ['production.wompi.co', 'sandbox.wompi.co', 'api.wompi.sv'], []),
  payments('Epayco', ['apify.epayco.co', 'secure.epayco.co'], ['epayco-sdk-node']),
  payments('Tremendous', ['www.tremendous.com', 'testflight.tremendous.com', 'api.tremendous.com'], ['tremendous'], {
    bodyFields: ['external_id'],
  }),
  payments('Lob', ['api.lob.com'], ['lob', '@lob/lob-typescript-sdk'], { headers: ['idempotency-key'] }),
  payments('Lithic', ['api.lithic.com', 'sandbox.lithic.com'], ['lithic'], HEADER_KEY),
  payments('Mercury', ['api.mercury.com'], [], { bodyFields: ['idempotencyKey'] }),
  payments('Printful', ['api.printful.com'], []),
  payments('Printify', ['api.printify.com'], []),
  payments('Gelato', ['order.gelatoapis.com'], []),
  payments('Shippo', ['api.goshippo.com'], ['shippo']),
  payments('EasyPost', ['api.easypost.com'], ['@easypost/api']),
  {
    // Everything is a POST; only transfers and payments move money
    harmless: true,
    provider: 'Plaid',
    packages: ['plaid'],
    hosts: ['production.plaid.com', 'sandbox.plaid.com', 'development.plaid.com'],
    operations: [
      {
        ...payment,
        title: 'transfer',
        paths: [/\/(transfer|payment_initiation|wallet)\/.*(create|cancel|execute|reverse|refund)/],
        calls: [
          'transferCreate',
          'transferAuthorizationCreate',
          'transferCancel',
          'transferRefundCreate',
          'paymentInitiationPaymentCreate',
          'walletTransactionExecute',
        ],
        idempotency: { bodyFields: ['idempotency_key'] },
      },
    ],
  },
  {
    provider: 'RevenueCat',
    hosts: ['api.revenuecat.com'],
    operations: [{ title: 'entitlement change', kind: 'state', latency: 'other-write' }],
  },
]
