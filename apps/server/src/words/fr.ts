import type { Words } from './words.ts';

export const fr: Words<'one' | 'many'> = {
  codeMail: {
    subject: '{code} est votre code de vérification Linnet',
    lead: 'Votre code de vérification\u202f:',
    expires: {
      one: 'Il expire dans {minutes} minute.',
      many: 'Il expire dans {minutes} minutes.',
      other: 'Il expire dans {minutes} minutes.',
    },
    newAddress: 'Utilisez ce code pour créer votre compte Linnet.',
    knownAddress:
      'Vous avez déjà un compte Linnet avec cette adresse. Utilisez ce code pour choisir un nouveau mot de passe.',
    notRequested:
      'Si vous n’avez pas demandé ce code, ignorez cet e-mail. Ne communiquez ce code à personne.',
  },
  farewellMail: {
    subject: 'Votre compte Linnet a été supprimé',
    deleted: 'Votre compte Linnet a été supprimé, comme vous l’avez demandé.',
    details:
      'Vos enregistrements, transcriptions et réglages ont été supprimés, votre dictaphone peut être associé à nouveau et votre abonnement ne sera plus renouvelé. Nous ne conservons que les données nécessaires aux factures et une empreinte irréversible de cette adresse, pour que les minutes gratuites ne soient offertes qu’une fois.',
    registerAgain: 'Vous pouvez recréer un compte avec cette adresse à tout moment.',
  },
  push: {
    transcriptReady: 'Transcription prête',
    todosDue: {
      one: '{count} tâche à faire aujourd’hui',
      many: '{count} tâches à faire aujourd’hui',
      other: '{count} tâches à faire aujourd’hui',
    },
    testTitle: 'Les notifications fonctionnent',
    testBody: 'Linnet vous préviendra dans ce navigateur.',
  },
  mail: {
    transcriptsReady: {
      one: '{count} transcription est prête',
      many: '{count} transcriptions sont prêtes',
      other: '{count} transcriptions sont prêtes',
    },
    more: {
      one: '{count} autre enregistrement',
      many: '{count} autres enregistrements',
      other: '{count} autres enregistrements',
    },
    reason: 'Vous recevez cet e-mail parce que vous l’avez activé dans Linnet.',
    stop: 'Désactiver ces e-mails',
    stopText: 'Vous ne recevrez plus d’e-mails sur les transcriptions et les tâches.',
    stopped: 'Ces e-mails sont désactivés',
    stoppedText: 'Vous pouvez les réactiver dans Linnet, sur la page Notifications.',
  },
  plans: {
    monthly: 'Linnet VIP mensuel',
    annual: 'Linnet VIP annuel',
    minutes: {
      one: 'Linnet, {minutes} minute',
      many: 'Linnet, {minutes} minutes',
      other: 'Linnet, {minutes} minutes',
    },
  },
  checkout: {
    title: 'Paiement · Linnet',
    testTitle: 'Paiement d’essai',
    testHint: 'Rien ne sera débité, quel que soit votre choix.',
    packageTerms: 'Paiement unique, sans renouvellement. Les minutes n’expirent jamais.',
    monthlyTerms:
      'Renouvelé automatiquement chaque mois jusqu’à ce que vous désactiviez le renouvellement.',
    annualTerms:
      'Renouvelé automatiquement chaque année jusqu’à ce que vous désactiviez le renouvellement.',
    pay: 'Payer {price}',
    simulateFailure: 'Simuler un échec de paiement',
    cancel: 'Annuler',
    back: 'Retour à Linnet',
    status: {
      paid: 'Cette commande est payée.',
      failed: 'Le paiement a échoué.',
      canceled: 'Cette commande a été annulée.',
      expired: 'Cette commande a expiré.',
      refunded: 'Cette commande a été remboursée.',
    },
    notFound: 'Page de paiement introuvable',
    notFoundHint:
      'L’adresse est incomplète ou n’appartient pas à ce serveur. Revenez à Linnet et réessayez.',
  },
  note: { mindMap: 'Carte mentale' },
  share: {
    untitled: 'Enregistrement du {date}',
    transcript: 'Transcription',
    summary: 'Résumé',
    todos: 'Tâches',
    audio: 'Audio',
    kinds: {
      extractive: 'Phrases extraites de la transcription par l’analyseur intégré.',
      generative: 'Rédigé par IA. Vérifiez les détails importants dans la transcription.',
    },
    empty: 'Pas encore disponible.',
    none: 'Aucune.',
    unavailable: 'Non disponible.',
    playFrom: 'Écouter à partir de {time}',
    done: 'Terminée',
    unplayable: 'Votre navigateur ne peut pas lire cet audio.',
    download: 'Télécharger l’audio',
    passwordTitle: 'Cet enregistrement est protégé',
    passwordHint: 'Saisissez le mot de passe que vous a donné la personne qui l’a partagé.',
    password: 'Mot de passe',
    open: 'Ouvrir',
    wrongPassword: 'Mot de passe incorrect',
    tooManyAttempts: 'Trop de tentatives. Patientez un peu, puis réessayez.',
    invalidTitle: 'Ce lien n’est pas valide',
    invalidText:
      'Il a expiré, a été désactivé ou est incomplet. Demandez un nouveau lien à la personne qui l’a partagé.',
    failedTitle: 'Impossible de charger la page',
    failedText: 'Réessayez dans un instant.',
  },
};
