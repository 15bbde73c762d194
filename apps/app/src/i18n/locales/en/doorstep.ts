export default {
  language: {
    title: 'Language',
    browser: 'Same as browser',
  },
  address: {
    title: 'Server address',
    lead: 'Linnet uses one server, which keeps your account and turns recordings into text.',
    now: 'Current server',
    isOwn: 'Default server',
    isOther: 'Custom server',
    another: 'Another server address',
    hint: 'For example, linnet.example.org',
    ask: 'Check address',
    version: 'Linnet server {{version}}',
    same: 'You’re already using this server.',
    use: 'Use this server',
    back: 'Use the default server',
    leaveTitle: 'Sign out and change server?',
    leave: 'Sign out and change',
    leaveText:
      'Your recordings stay on this device. They appear again when you return to your current server and sign in.',
    failures: {
      not_address: {
        what: 'This isn’t a server address',
        todo: 'Enter an address like linnet.example.org.',
      },
      insecure: {
        what: 'This address isn’t secure',
        todo: 'Use an address that starts with https://. If the server doesn’t support https, tell its admin.',
      },
      offline: {
        what: 'You’re offline',
        todo: 'Check your network and try again.',
      },
      no_answer: {
        what: 'No response from this address',
        todo: 'Check the address and make sure the server is running.',
      },
      blocked: {
        what: 'This server doesn’t accept this app',
        todo: 'Ask the server’s admin to allow connections from this app’s address.',
      },
      not_linnet: {
        what: 'No Linnet server at this address',
        todo: 'Something else responded. Check the address.',
      },
      unavailable: {
        what: 'The server isn’t available right now',
        todo: 'Try again later or tell the server’s admin.',
      },
    },
  },
} as const;
