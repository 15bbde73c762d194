export default {
  help: {
    title: 'Help',
    questions: 'Questions and answers',
    more: 'Other questions',
    demo: 'Demo recording',
    guide: 'User guide',
    feedback: 'Help and feedback',
    online: 'Customer service',
    about: 'About Linnet',
    privacy: 'Privacy policy',
    terms: 'User agreement',
  },
  about: {
    lead: 'Linnet is the open-source companion app for pocket voice recorders. It transfers your recordings, turns them into text and summarizes what matters.',
    version: 'Version {{version}}',
    promises: 'Our promises',
    kept: {
      title: 'No recording is ever lost',
      text: 'Even if something is unplugged, out of range, full or offline, the recorder keeps its copy until another copy is verified.',
    },
    yours: {
      title: 'Your recordings are yours',
      text: 'Everything can run on a single machine, offline, with no account anywhere else. You can run your own server.',
    },
    easy: {
      title: 'Record now, read later',
      text: 'With automatic sync, every recording becomes text you can search and export, with no extra taps.',
    },
    open: {
      title: 'An open protocol',
      text: 'The protocol between app and recorder is documented byte by byte, so anyone can build another recorder or another app.',
    },
    texts: 'Legal',
    source: 'Source code and protocol',
    sourceText:
      'Linnet is free software under the MIT license. The protocol is described in PROTOCOL.md, which comes with the source code.',
    licences_one: 'License of the {{formatted}} package Linnet is built on',
    licences_other: 'Licenses of the {{formatted}} packages Linnet is built on',
  },
  handbook: {
    parts: {
      power: 'Power: the round button on the front',
      corner: 'Corner: the button at the top right',
      wifi: 'Wi-Fi: the button at the top left',
      screen: 'Screen: shows the recorder’s status',
    },
    buttons: 'Buttons',
    wake: { title: 'Wake the recorder', text: 'Press Power briefly. The screen lights up.' },
    record: {
      title: 'Start and stop recording',
      text: 'Hold Power for {{time}} to start. Do the same to stop.',
    },
    forceStop: {
      title: 'Force stop',
      text: 'If the recorder is recording by accident, hold Power for {{time}}. Everything recorded so far is saved.',
    },
    restart: {
      title: 'Restart',
      text: 'Hold Corner for {{time}}. Recordings and pairings are kept.',
    },
    clear: {
      title: 'Clear pairings',
      text: 'With the recorder turned off, hold Corner for {{time}}. You can then pair it again.',
    },
    timeouts: 'Automatic sleep',
    screenOff: 'If no button is pressed, the screen turns off.',
    sleep: 'If the recorder is idle, it goes to sleep.',
    searching: 'If it’s still searching or pairing, it goes to sleep.',
    disconnected: 'If no phone or computer is connected, it goes to sleep.',
    wifi: 'Wi-Fi mode',
    wifiLeave: { title: 'Leave Wi-Fi mode', text: 'Press the Wi-Fi button again.' },
    wifiDrop: {
      title: 'Cancel a connection',
      text: 'While Wi-Fi is still connecting, go back to the main screen.',
    },
  },
  questions: {
    bind: {
      title: 'How do I pair my recorder?',
      first: 'Press Power on the recorder briefly. Its screen lights up.',
      second:
        'With the recorder nearby, open the app and choose to connect a recorder. Allow Bluetooth if asked.',
      third: 'Choose your recorder from the list.',
      fourth:
        'When the recorder’s screen asks, press Power. The recorder is now paired with your account, and no other account can access its recordings.',
      note: 'A recorder can be paired with only one account. If it’s paired with someone else’s, they need to unpair it first.',
    },
    record: {
      title: 'How do I start recording?',
      first: 'Press Power briefly to wake the recorder.',
      second: 'Hold Power for 2 seconds. The screen shows a waveform.',
      third:
        'Or tap the button in the middle of the app’s tab bar. The recorder records, not this device.',
      fourth: 'To stop, hold Power for 2 seconds again, or tap the same button.',
      note: 'You can close the app. The recorder saves everything automatically.',
    },
    sync: {
      title: 'How do I sync recordings?',
      first: 'Open the app near the recorder. They connect automatically.',
      second: 'New recordings transfer over Bluetooth, one after another.',
      third:
        'For long recordings, Wi-Fi is faster. Press the Wi-Fi button and join the recorder’s hotspot.',
      fourth:
        'A check mark shows which recordings are done. Interrupted transfers resume where they stopped.',
      note: 'The recorder deletes its copy only after another copy is verified, and only if you’ve chosen not to keep recordings on the recorder.',
    },
    read: {
      title: 'How do I transcribe and summarize a recording?',
      first: 'Open a recording. To be transcribed, it’s uploaded to your server.',
      second: 'Choose the language that was spoken, and start the transcription.',
      third: 'Read along as it plays. Tap a word to play from there.',
      fourth: 'The summary, mind map and to-dos are in the tabs next to the transcript.',
      note: 'Transcription uses your minutes, unless your server offers unlimited transcription.',
    },
  },
  feedback: {
    lead: 'Your message goes to your server’s admin.',
    kind: 'What’s this about?',
    kinds: {
      problem: 'A problem',
      question: 'A question',
      wish: 'A suggestion',
      other: 'Something else',
    },
    content: 'Your message',
    contentHint: 'What did you do, what happened and what did you expect?',
    nothing: 'Enter a message first',
    tooLong: 'The limit is {{most}} characters. You’re {{over}} over.',
    contact: 'Reply to (optional)',
    contactHint: 'An email address or phone number.',
    contactKnown: 'If you leave this blank, the reply goes to {{email}}.',
    withLog: 'Include the app’s log',
    logHint:
      'The log contains event names and numbers from the last ten days. It doesn’t include anything that was said.',
    showLog: 'Preview the log ({{size}})',
    send: 'Send',
    kept: 'Your message wasn’t sent. It’s saved here until you send it.',
    thanks: 'Message sent',
    thanksHint: 'Thank you. Your server’s admin can read it now.',
    done: 'Done',
  },
  service: {
    mail: 'Send an email',
    page: 'Open the support page',
    whose: 'Your server’s admin provided this contact.',
    form: 'Send feedback',
    none: 'Customer service isn’t available',
    noneHint:
      'Your server’s admin hasn’t provided a contact, but you can still reach them with the feedback form.',
    unknown: 'Your server hasn’t responded yet',
    unknownHint:
      'Your server provides customer service. Check your network, or write your message now and send it later.',
  },
  demo: {
    note: 'This is a demo in English: two people plan a festival. Try anything. Your changes are discarded when you leave.',
    join: 'Create account',
  },
} as const;
