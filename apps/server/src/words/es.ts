import type { Words } from './words.ts';

export const es: Words<'one' | 'many'> = {
  codeMail: {
    subject: '{code} es tu código de verificación de Linnet',
    lead: 'Tu código de verificación:',
    expires: {
      one: 'Vence en {minutes} minuto.',
      many: 'Vence en {minutes} de minutos.',
      other: 'Vence en {minutes} minutos.',
    },
    newAddress: 'Usa este código para crear tu cuenta de Linnet.',
    knownAddress:
      'Ya tienes una cuenta de Linnet con esta dirección. Usa este código para elegir una nueva contraseña.',
    notRequested:
      'Si no pediste este código, ignora este correo. No compartas el código con nadie.',
  },
  farewellMail: {
    subject: 'Tu cuenta de Linnet se eliminó',
    deleted: 'Eliminamos tu cuenta de Linnet, como pediste.',
    details:
      'Tus grabaciones, transcripciones y configuración se eliminaron, tu grabadora se puede volver a vincular y tu suscripción ya no se renueva. Solo conservamos los datos necesarios para las facturas y un hash irreversible de esta dirección, para que los minutos gratis se den una sola vez.',
    registerAgain: 'Puedes volver a registrarte con esta dirección cuando quieras.',
  },
  push: {
    transcriptReady: 'Transcripción lista',
    todosDue: {
      one: '{count} tarea para hoy',
      many: '{count} de tareas para hoy',
      other: '{count} tareas para hoy',
    },
    testTitle: 'Las notificaciones funcionan',
    testBody: 'Linnet te avisará en este navegador.',
  },
  mail: {
    transcriptsReady: {
      one: '{count} transcripción lista',
      many: '{count} de transcripciones listas',
      other: '{count} transcripciones listas',
    },
    more: {
      one: '{count} grabación más',
      many: '{count} de grabaciones más',
      other: '{count} grabaciones más',
    },
    reason: 'Recibes este correo porque lo activaste en Linnet.',
    stop: 'Desactivar estos correos',
    stopText: 'Ya no recibirás correos sobre transcripciones y tareas.',
    stopped: 'Estos correos están desactivados',
    stoppedText: 'Puedes volver a activarlos en Linnet, en la página Notificaciones.',
  },
  plans: {
    monthly: 'Linnet VIP mensual',
    annual: 'Linnet VIP anual',
    minutes: {
      one: 'Linnet, {minutes} minuto',
      many: 'Linnet, {minutes} de minutos',
      other: 'Linnet, {minutes} minutos',
    },
  },
  checkout: {
    title: 'Pago · Linnet',
    testTitle: 'Pago de prueba',
    testHint: 'No se te cobrará nada, elijas lo que elijas.',
    packageTerms: 'Pago único. Los minutos no vencen.',
    monthlyTerms: 'Se renueva automáticamente cada mes hasta que desactives la renovación.',
    annualTerms: 'Se renueva automáticamente cada año hasta que desactives la renovación.',
    pay: 'Pagar {price}',
    simulateFailure: 'Simular un pago fallido',
    cancel: 'Cancelar',
    back: 'Volver a Linnet',
    status: {
      paid: 'Este pedido está pagado.',
      failed: 'El pago falló.',
      canceled: 'Este pedido se canceló.',
      expired: 'Este pedido venció.',
      refunded: 'Este pedido se reembolsó.',
    },
    notFound: 'No encontramos esta página de pago',
    notFoundHint:
      'La dirección está incompleta o no es de este servidor. Vuelve a Linnet e inténtalo de nuevo.',
  },
  note: { mindMap: 'Mapa mental' },
  share: {
    untitled: 'Grabación, {date}',
    transcript: 'Transcripción',
    summary: 'Resumen',
    todos: 'Tareas',
    audio: 'Audio',
    kinds: {
      extractive: 'Frases de la transcripción seleccionadas por el analizador integrado.',
      generative: 'Escrito por IA. Comprueba los detalles importantes en la transcripción.',
    },
    empty: 'Aún no está disponible.',
    none: 'Ninguna.',
    unavailable: 'No está disponible.',
    playFrom: 'Reproducir desde {time}',
    done: 'Hecha',
    unplayable: 'Tu navegador no puede reproducir este audio.',
    download: 'Descargar el audio',
    passwordTitle: 'Esta grabación está protegida',
    passwordHint: 'Escribe la contraseña que te dio la persona que la compartió.',
    password: 'Contraseña',
    open: 'Abrir',
    wrongPassword: 'Contraseña incorrecta',
    tooManyAttempts: 'Demasiados intentos. Espera un poco e inténtalo de nuevo.',
    invalidTitle: 'Este enlace no es válido',
    invalidText:
      'Ha caducado, se ha desactivado o está incompleto. Pide un enlace nuevo a la persona que lo compartió.',
    failedTitle: 'No se ha podido cargar la página',
    failedText: 'Inténtalo de nuevo en un momento.',
  },
};
