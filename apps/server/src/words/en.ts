import type { Words } from './words.ts';

export const en: Words<'one'> = {
  codeMail: {
    subject: '{code} is your Linnet verification code',
    lead: 'Your verification code:',
    expires: {
      one: 'It expires in {minutes} minute.',
      other: 'It expires in {minutes} minutes.',
    },
    newAddress: 'Use this code to create your Linnet account.',
    knownAddress:
      'You already have a Linnet account with this address. Use this code to choose a new password.',
    notRequested:
      'If you didn’t ask for this code, ignore this email. Don’t share the code with anyone.',
  },
  farewellMail: {
    subject: 'Your Linnet account has been deleted',
    deleted: 'Your Linnet account has been deleted, as you asked.',
    details:
      'Your recordings, transcripts and settings are deleted, your recorder can be paired again, and your membership won’t renew. We keep only what’s needed for invoices, and a one-way hash of this address so that free minutes are given only once.',
    registerAgain: 'You can sign up again with this address at any time.',
  },
  plans: {
    monthly: 'Linnet VIP, monthly',
    annual: 'Linnet VIP, annual',
    minutes: { one: 'Linnet, {minutes} minute', other: 'Linnet, {minutes} minutes' },
  },
  checkout: {
    title: 'Checkout · Linnet',
    testTitle: 'Test checkout',
    testHint: 'You won’t be charged, whatever you choose.',
    packageTerms: 'One-time payment. The minutes don’t expire.',
    monthlyTerms: 'Renews automatically every month until you turn off renewal.',
    annualTerms: 'Renews automatically every year until you turn off renewal.',
    pay: 'Pay {price}',
    simulateFailure: 'Simulate a failed payment',
    cancel: 'Cancel',
    back: 'Back to Linnet',
    status: {
      paid: 'This order has been paid.',
      failed: 'The payment failed.',
      canceled: 'This order was canceled.',
      expired: 'This order has expired.',
      refunded: 'This order was refunded.',
    },
    notFound: 'Checkout not found',
    notFoundHint:
      'The address is incomplete or doesn’t belong to this server. Return to Linnet and start again.',
  },
};
