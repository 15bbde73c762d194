export default {
  agreements: {
    version: 'Version {{version}}',
    privacy: {
      title: 'Privacy policy',
      lead: 'Linnet is software. The server that your app talks to is run by somebody: a company, a club, or you. Here “the operator” is whoever runs it. This text says what the software does with your data.',
      who: {
        title: 'Who is responsible',
        text: 'The operator of your server decides how it is set up and answers for your data on it. You reach them under Help and feedback, or Customer service.\nThe makers of Linnet receive nothing.',
      },
      phone: {
        title: 'What is on your phone',
        text: 'Recordings, transcripts, notes and settings are kept in the app’s own storage on your phone. They stay there when you sign out.\nThe app keeps your sign-in and the last email you used. It asks for Bluetooth, WiFi or your location only when you do something that needs it.',
      },
      server: {
        title: 'What is on the server',
        text: 'Your email, nickname, picture and a fingerprint of your password, never the password itself. Serial numbers of your recorders, and their keys, encrypted.\nWhat you upload: sound, transcripts, summaries, tags, markers, and places that you added. Your settings, your last searches, your minutes and your orders.\nThe feedback that you send, with the log if you add it.',
      },
      recordings: {
        title: 'What happens to a recording',
        text: 'It goes from the recorder to your phone. It goes to the server when you have it transcribed or backed up, or by itself if you are a member or your server is open to all.\nThere, speech becomes text and a summary. Other accounts can neither see nor reach it.',
      },
      others: {
        title: 'Who else may process it',
        text: 'By default everything is processed on the server itself. The operator may connect services of others: for speech, for summaries, for storage, for mail, and for payment. Then what each needs is sent to it: sound for speech, text for summaries. If the operator chose a map of others, your phone asks them for the part that you look at.\nWhich speech engines your server uses is shown under Me. The operator tells you who provides the rest.',
      },
      logs: {
        title: 'Logs',
        text: 'The app keeps a log on your phone for ten days: names of events and numbers, no titles and no words that were said. It leaves the phone only if you send it.\nThe server’s logs hold no passwords, tokens, email addresses, titles or transcripts. To stop misuse, the server counts attempts under a fingerprint of the network address.',
      },
      payment: {
        title: 'Payment',
        text: 'If your server sells membership or minutes, you pay at the payment service that the operator chose. Card data goes there alone and never reaches the server, which keeps what you ordered, when, and whether it was paid.',
      },
      never: {
        title: 'What Linnet does not do',
        text: 'No advertising, no trackers, no cookies, no profiles. Your recordings train no models of Linnet.',
      },
      delete: {
        title: 'Deleting',
        text: 'What you delete for good disappears from your phones and the server. You may close your account at any time: you are signed out everywhere at once, your recorder is free, and recordings, transcripts and files are removed. Only what invoices need is kept.\nBackups that the operator made may hold it until they are replaced.',
      },
      rights: {
        title: 'Your rights',
        text: 'You can see, correct, take along and delete your data in the app. For everything else, and for the rights that the law gives you, ask the operator.',
      },
      changes: {
        title: 'Changes',
        text: 'This text has a version. The one that you accepted is kept with your account.',
      },
    },
    terms: {
      title: 'User agreement',
      lead: 'This agreement is between you and the operator: whoever runs the server that your app talks to. It says what you may expect and what is expected of you.',
      what: {
        title: 'What it is about',
        text: 'Linnet fetches recordings from your recorder, keeps them, and turns them into text and summaries. The software is free under the MIT licence, and comes as it is, without warranty. The service on this server is the operator’s.',
      },
      account: {
        title: 'Your account',
        text: 'Give an email address that is yours, choose a good password, and keep it to yourself. A recorder can be bound to one account only.',
      },
      recordings: {
        title: 'Your recordings are yours',
        text: 'All rights in what you record stay with you. The operator may store and process it only to give you the service.',
      },
      consent: {
        title: 'Others have rights, too',
        text: 'Record people only where the law allows it and, where it is needed, with their consent. That is your responsibility, also for calls.',
      },
      use: {
        title: 'Fair use',
        text: 'Do not use the service to break the law or to harm others. Do not try to get at the data of others, and do not disturb the server. The operator may block an account that does.',
      },
      membership: {
        title: 'Membership and minutes',
        text: 'If your server sells them, prices and contents are shown before you pay. Membership renews by itself until you cancel it, and then lasts to the end of what was paid.\nTranscribing takes minutes from your balance. What fails is not charged.',
      },
      engines: {
        title: 'Machines make mistakes',
        text: 'Transcripts and summaries are made by machines and may be wrong. Check what matters against the recording.',
      },
      care: {
        title: 'Care and liability',
        text: 'Linnet is built so that no recording is lost. Still, keep a copy of what you cannot do without. How far the operator is liable follows from the law.',
      },
      end: {
        title: 'Ending it',
        text: 'You may close your account in the app at any time. Your data is then removed, apart from what invoices need. The operator may end the service with fair notice, so that you can take your recordings along.',
      },
      changes: {
        title: 'Changes',
        text: 'This text has a version. The one that you accepted is kept with your account.',
      },
    },
  },
} as const;
