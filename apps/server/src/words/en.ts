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
  push: {
    transcriptReady: 'Transcript ready',
    todosDue: {
      one: '{count} to-do due today',
      other: '{count} to-dos due today',
    },
    testTitle: 'Notifications work',
    testBody: 'Linnet will notify you in this browser.',
  },
  mail: {
    transcriptsReady: {
      one: '{count} transcript is ready',
      other: '{count} transcripts are ready',
    },
    more: {
      one: '{count} more recording',
      other: '{count} more recordings',
    },
    reason: 'You get this email because you turned it on in Linnet.',
    stop: 'Turn off these emails',
    stopText: 'You won’t get any more emails about transcripts and to-dos.',
    stopped: 'These emails are off',
    stoppedText: 'You can turn them on again in Linnet, on the Notifications page.',
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
  note: { mindMap: 'Mind map' },
  share: {
    untitled: 'Recording, {date}',
    transcript: 'Transcript',
    summary: 'Summary',
    todos: 'To-dos',
    audio: 'Audio',
    kinds: {
      extractive: 'Sentences selected from the transcript by the built-in analyzer.',
      generative: 'Written by AI. Check important details against the transcript.',
    },
    empty: 'Not available yet.',
    none: 'None.',
    unavailable: 'Not available.',
    playFrom: 'Play from {time}',
    done: 'Done',
    unplayable: 'Your browser can’t play this audio.',
    download: 'Download audio',
    passwordTitle: 'This recording is protected',
    passwordHint: 'Enter the password that you got from the person who shared it.',
    password: 'Password',
    open: 'Open',
    wrongPassword: 'Incorrect password',
    tooManyAttempts: 'Too many attempts. Wait a while, then try again.',
    invalidTitle: 'This link isn’t valid',
    invalidText:
      'It has expired, was turned off, or is incomplete. Ask the person who shared it for a new link.',
    failedTitle: 'We couldn’t load this page',
    failedText: 'Try again in a moment.',
  },
};
