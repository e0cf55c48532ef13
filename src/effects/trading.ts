import type { CatalogueEntry } from './entry.js'
import { payment, payments } from './payments.js'

/** Orders at exchanges and transactions on chains: money twice. */
export const TRADING: readonly CatalogueEntry[] = [
  payments(
    'Coinbase',
    ['api.commerce.coinbase.com', 'api.coinbase.com', 'api.cdp.coinbase.com', 'api.developer.coinbase.com'],
    ['coinbase-commerce-node', '@coinbase/coinbase-sdk', '@coinbase/cdp-sdk'],
    { headers: ['x-idempotency-key'], bodyFields: ['idem', 'client_order_id'], options: ['idempotencyKey'] },
  ),
  payments(
    'Alpaca',
    ['api.alpaca.markets', 'paper-api.alpaca.markets', 'broker-api.alpaca.markets'],
    ['@alpacahq/alpaca-trade-api', '@alpacahq/typescript-sdk'],
    { bodyFields: ['client_order_id'] },
  ),
  payments(
    'Binance',
    ['api.binance.com', 'fapi.binance.com', 'api1.binance.com', 'testnet.binance.vision'],
    ['binance', 'node-binance-api'],
    { bodyFields: ['newClientOrderId'] },
  ),
  payments('Bybit', ['api.bybit.com', 'api-testnet.bybit.com'], ['bybit-api'], { bodyFields: ['orderLinkId'] }),
  payments('OANDA', ['api-fxtrade.oanda.com', 'api-fxpractice.oanda.com'], []),
  payments('Kraken', ['api.kraken.com'], []),
  {
    // Exchanges behind one library
    provider: 'CCXT',
    packages: ['ccxt'],
    operations: [
      {
        ...payment,
        title: 'order',
        calls: [
          'createOrder',
          'createMarketOrder',
          'createLimitOrder',
          'createMarketBuyOrder',
          'createMarketSellOrder',
          'createLimitBuyOrder',
          'createLimitSellOrder',
          'cancelOrder',
          'editOrder',
          'withdraw',
          'transfer',
        ],
        idempotency: { bodyFields: ['clientOrderId'], options: ['clientOrderId'] },
      },
    ],
  },
  {
    // A transaction is sent once where its nonce is pinned; nobody does that by hand
    provider: 'Blockchain',
    packages: [
      'ethers',
      'viem',
      '@solana/web3.js',
      '@solana/kit',
      'web3',
      'xrpl',
      'near-api-js',
      '@ton/ton',
      'bitcoinjs-lib',
      '@thirdweb-dev/sdk',
      'thirdweb',
      '@mysten/sui',
      'tronweb',
      '@aptos-labs/ts-sdk',
      'stellar-sdk',
      '@stellar/stellar-sdk',
    ],
    operations: [
      {
        ...payment,
        title: 'transaction',
        calls: [
          'sendTransaction',
          'writeContract',
          'sendRawTransaction',
          'sendAndConfirmTransaction',
          'sendUserOperation',
          'deployContract',
          'sendUncheckedTransaction',
          'broadcastTransaction',
          'submitAndWait',
          'sendCalls',
          'transfer',
          'safeTransferFrom',
          'mint',
          'signAndExecuteTransaction',
          'signAndSubmitTransaction',
          'submitTransaction',
          'sendSignedTransaction',
          'sendEncodedTransaction',
          'sendTrx',
        ],
      },
    ],
  },
]
