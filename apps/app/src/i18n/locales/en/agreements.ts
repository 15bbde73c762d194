export default {
  agreements: {
    version: 'Version {{version}}',
    privacy: {
      title: 'Privacy policy',
      lead: 'Linnet is software. Your app connects to a server run by a company, a club or you. The person or organization that runs it is called “the operator” here. This policy explains how the software handles your data.',
      who: {
        title: 'Who is responsible',
        text: 'The operator decides how your server is set up and is responsible for your data on it. You can contact the operator under Help and feedback or Customer service.\nThe makers of Linnet don’t receive any of your data.',
      },
      phone: {
        title: 'Data on your device',
        text: 'Recordings, transcripts, notes and settings are kept in the app’s storage on your phone or computer. They stay there when you sign out.\nThe app remembers your sign-in and the last email you used. It asks for access to Bluetooth, Wi-Fi or your location only when you do something that needs it.',
      },
      server: {
        title: 'Data on the server',
        text: 'Your account: your email, nickname, picture and a one-way hash of your password, never the password itself. The serial numbers of your recorders, and their keys in encrypted form.\nYour content: the audio, transcripts, summaries, tags, markers, notes and places you upload. Your settings, recent searches, minutes and orders.\nThe feedback you send, including the app’s log if you attach it.',
      },
      recordings: {
        title: 'How recordings are processed',
        text: 'Recordings are transferred from the recorder to your device. They’re uploaded to the server when you have them transcribed or backed up. With VIP, or if everything is included on your server, this happens automatically.\nOn the server, speech becomes text and a summary. Other accounts can’t see or access your recordings.\nIf you turn on Voices, the server also stores numbers that describe the voices of the speakers. You can delete them at any time.',
      },
      others: {
        title: 'Third-party services',
        text: 'By default, everything is processed on the server itself. The operator may use third-party services for speech recognition, summaries, storage, email and payment. Each service receives only the data it needs, such as audio for speech recognition or text for summaries. If the operator uses a third-party map, your device requests the area you’re viewing from that service. If you turn on notifications in a browser, the server sends them through its maker’s push service, encrypted so that only this browser can read them.\nUnder Me, you can see which speech recognition your server uses. The operator can tell you who provides the other services.',
      },
      logs: {
        title: 'Logs',
        text: 'The app keeps a log on your device for ten days. The log contains event names and numbers, but no titles and nothing that was said. It leaves your device only if you send it.\nThe server’s logs contain no passwords, tokens, email addresses, titles or transcripts. To prevent misuse, the server counts attempts using a one-way hash of the network address.',
      },
      payment: {
        title: 'Payment',
        text: 'If your server sells VIP or extra minutes, you pay through the payment service the operator has chosen. Your card details go only to that service and never reach the server. The server stores only your orders, when you placed them and whether they were paid.',
      },
      never: {
        title: 'No ads, no tracking',
        text: 'Linnet has no ads, trackers or profiles. There’s one cookie: it’s set when someone enters the password of a page that you shared, and says nothing about that person. Your recordings aren’t used to train Linnet’s models.',
      },
      delete: {
        title: 'Deleting your data',
        text: 'Anything you delete permanently is deleted from your devices and the server. You can delete your account at any time. You’re then signed out everywhere, your recorder is unpaired, and your recordings, transcripts and files are deleted. The operator keeps only the data needed for invoices, and a one-way hash of your email address so that free minutes are given only once.\nThe operator’s backups may still contain deleted data until they’re replaced.',
      },
      rights: {
        title: 'Your rights',
        text: 'You can view, correct, export and delete your data in the app. For anything else, and to exercise your rights under the law, contact the operator.',
      },
      changes: {
        title: 'Changes to this policy',
        text: 'This policy has a version number. The version you accepted is saved with your account.',
      },
    },
    terms: {
      title: 'User agreement',
      lead: 'This agreement is between you and “the operator,” who runs the server your app connects to. It explains what you can expect and what’s expected of you.',
      what: {
        title: 'The service',
        text: 'Linnet transfers recordings from your recorder, stores them and turns them into text and summaries. The software is free under the MIT license and is provided as is, without warranty. The operator provides the service on this server.',
      },
      account: {
        title: 'Your account',
        text: 'Use your own email address, choose a strong password and keep it to yourself. A recorder can be paired with only one account.',
      },
      recordings: {
        title: 'Your recordings are yours',
        text: 'You keep all rights to your recordings. The operator may store and process them only to provide the service to you.',
      },
      consent: {
        title: 'Respect other people’s rights',
        text: 'Record people only where the law allows it, and with their consent where it’s required. This is your responsibility, and it also applies to calls.',
      },
      use: {
        title: 'Fair use',
        text: 'Don’t use the service to break the law or harm others. Don’t try to access other people’s data or disrupt the server. The operator may block accounts that break these rules.',
      },
      membership: {
        title: 'VIP and minutes',
        text: 'If your server sells VIP or extra minutes, you see the price and what’s included before you pay. VIP renews automatically until you turn off renewal. You then keep VIP until the end of the period you’ve paid for.\nTranscription uses minutes from your balance. Failed transcriptions don’t use any minutes.',
      },
      engines: {
        title: 'Automated results can be wrong',
        text: 'Transcripts and summaries are created automatically and may contain mistakes. Check anything important against the recording.',
      },
      care: {
        title: 'Backups and liability',
        text: 'Linnet is designed so that no recording is lost. Even so, keep your own copy of anything you can’t afford to lose. The operator’s liability is determined by law.',
      },
      end: {
        title: 'Ending this agreement',
        text: 'You can delete your account in the app at any time. Your data is then deleted, except for what the privacy policy lists. The operator may end the service after giving you reasonable notice, so that you can export your recordings first.',
      },
      changes: {
        title: 'Changes to this agreement',
        text: 'This agreement has a version number. The version you accepted is saved with your account.',
      },
    },
  },
} as const;
