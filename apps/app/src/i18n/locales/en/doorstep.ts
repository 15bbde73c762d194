export default {
  language: {
    title: 'Language',
    browser: 'Same as this browser',
  },
  address: {
    title: 'Server address',
    lead: 'Linnet talks to one server. It keeps your account and turns recordings into text.',
    now: 'In use',
    isOwn: 'The server this app came from',
    isOther: 'A server you chose',
    another: 'Another address',
    hint: 'For example linnet.example.org',
    ask: 'Check this address',
    version: 'Linnet server {{version}}',
    same: 'This app already talks to it.',
    use: 'Use this server',
    back: 'Back to this app’s own server',
    leaveTitle: 'Change the server?',
    leave: 'Sign out and change',
    leaveText:
      'You are signed out here first. Your recordings stay on this phone, and show again when you come back to the server you use now.',
    failures: {
      not_address: {
        what: 'This is not a server address',
        todo: 'Write it like linnet.example.org.',
      },
      insecure: {
        what: 'This page is secure, and the address is not',
        todo: 'Write the address with https:// in front. The server needs a certificate for that.',
      },
      offline: {
        what: 'This device is offline',
        todo: 'Check the network, then try again.',
      },
      no_answer: {
        what: 'Nothing answers at this address',
        todo: 'Check the address, and whether the server is running.',
      },
      blocked: {
        what: 'Something answers there, but does not let this app in',
        todo: 'Whoever runs the server can allow it: the address of this app belongs in CORS_ORIGINS.',
      },
      not_linnet: {
        what: 'There is no Linnet server at this address',
        todo: 'Something else answers there. Check the address.',
      },
      unavailable: {
        what: 'The server is there, but does not work right now',
        todo: 'Try again later, or tell whoever runs it.',
      },
    },
  },
} as const;
