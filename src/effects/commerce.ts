import { change, tool, type CatalogueEntry } from './entry.js'

/** Shops and accounting: an order or an invoice twice. */
export const COMMERCE: readonly CatalogueEntry[] = [
  {
    provider: 'Shopify',
    packages: ['@shopify/shopify-api', '@shopify/admin-api-client'],
    hosts: ['*.myshopify.com'],
    operations: [{ ...change, calls: ['save', 'saveAndUpdate', 'delete', '*.save'] }],
    none: { calls: ['request', 'query'] },
  },
  tool('WooCommerce', [], ['@woocommerce/woocommerce-rest-api'], ['post', 'put', 'delete']),
  tool('Amazon Selling Partner', [
    'sellingpartnerapi-na.amazon.com',
    'sellingpartnerapi-eu.amazon.com',
    'sellingpartnerapi-fe.amazon.com',
  ]),
  tool('Mercado Libre', ['api.mercadolibre.com']),
  tool('Etsy', ['openapi.etsy.com', 'api.etsy.com']),
  tool('eBay', ['api.ebay.com', 'api.sandbox.ebay.com']),
  tool('bol.com', ['api.bol.com']),
  tool('Tiny ERP', ['api.tiny.com.br', 'erp.tiny.com.br']),
  tool('Bling', ['api.bling.com.br', 'www.bling.com.br']),
  { ...tool('Omie', ['app.omie.com.br']), operations: [change] },
  {
    provider: 'Xero',
    packages: ['xero-node'],
    hosts: ['api.xero.com'],
    operations: [
      {
        ...change,
        calls: [
          'createInvoices',
          'updateInvoice',
          'createContacts',
          'createPayment',
          'createPayments',
          'createBankTransactions',
          '*.createInvoices',
          '*.createPayments',
          'emailInvoice',
        ],
        idempotency: { headers: ['idempotency-key'] },
      },
    ],
  },
  {
    provider: 'QuickBooks',
    packages: ['node-quickbooks', 'intuit-oauth'],
    hosts: ['quickbooks.api.intuit.com', 'sandbox-quickbooks.api.intuit.com'],
    operations: [
      {
        ...change,
        calls: [
          'createInvoice',
          'updateInvoice',
          'createCustomer',
          'createPayment',
          'createBill',
          'sendInvoicePdf',
          'makeApiCall',
        ],
      },
    ],
    reads: { paths: [/\/query\/?$/] },
  },
  tool('FreshBooks', ['api.freshbooks.com']),
  tool('Holded', ['api.holded.com']),
  tool('Lexware Office', ['api.lexoffice.io', 'api.lexware.io']),
  tool('sevDesk', ['my.sevdesk.de']),
  tool('Moneybird', ['moneybird.com']),
  tool('Exact Online', ['start.exactonline.nl']),
  tool('Pennylane', ['app.pennylane.com']),
  tool('Fakturoid', ['app.fakturoid.cz']),
]
