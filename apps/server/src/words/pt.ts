import type { Words } from './words.ts';

export const pt: Words<'one' | 'many'> = {
  codeMail: {
    subject: '{code} é seu código de verificação do Linnet',
    lead: 'Seu código de verificação:',
    expires: {
      one: 'Ele vale por {minutes} minuto.',
      many: 'Ele vale por {minutes} de minutos.',
      other: 'Ele vale por {minutes} minutos.',
    },
    newAddress: 'Use este código para criar sua conta no Linnet.',
    knownAddress:
      'Você já tem uma conta no Linnet com este endereço. Use este código para escolher uma nova senha.',
    notRequested:
      'Se você não pediu este código, ignore este e-mail. Não compartilhe o código com ninguém.',
  },
  farewellMail: {
    subject: 'Sua conta do Linnet foi excluída',
    deleted: 'Sua conta do Linnet foi excluída, como você pediu.',
    details:
      'Suas gravações, transcrições e configurações foram excluídas, seu gravador pode ser vinculado de novo e sua assinatura não será mais renovada. Mantemos apenas os dados exigidos para as notas fiscais e um código irreversível (hash) deste endereço, para que os minutos grátis sejam concedidos uma única vez.',
    registerAgain: 'Você pode criar outra conta com este endereço quando quiser.',
  },
  push: {
    transcriptReady: 'Transcrição pronta',
    todosDue: {
      one: '{count} tarefa para hoje',
      many: '{count} de tarefas para hoje',
      other: '{count} tarefas para hoje',
    },
    testTitle: 'As notificações funcionam',
    testBody: 'O Linnet avisará você neste navegador.',
  },
  mail: {
    transcriptsReady: {
      one: '{count} transcrição pronta',
      many: '{count} de transcrições prontas',
      other: '{count} transcrições prontas',
    },
    more: {
      one: 'Mais {count} gravação',
      many: 'Mais {count} de gravações',
      other: 'Mais {count} gravações',
    },
    reason: 'Você recebe este e-mail porque o ativou no Linnet.',
    stop: 'Desativar estes e-mails',
    stopText: 'Você não receberá mais e-mails sobre transcrições e tarefas.',
    stopped: 'Estes e-mails estão desativados',
    stoppedText: 'Você pode ativá-los de novo no Linnet, na página Notificações.',
  },
  plans: {
    monthly: 'Linnet VIP mensal',
    annual: 'Linnet VIP anual',
    minutes: {
      one: 'Linnet, {minutes} minuto',
      many: 'Linnet, {minutes} de minutos',
      other: 'Linnet, {minutes} minutos',
    },
  },
  checkout: {
    title: 'Pagamento · Linnet',
    testTitle: 'Pagamento de teste',
    testHint: 'Nada será cobrado, qualquer que seja sua escolha.',
    packageTerms: 'Pagamento único. Os minutos não expiram.',
    monthlyTerms: 'Renovação automática todo mês, até você desativá-la.',
    annualTerms: 'Renovação automática todo ano, até você desativá-la.',
    pay: 'Pagar {price}',
    simulateFailure: 'Simular falha no pagamento',
    cancel: 'Cancelar',
    back: 'Voltar ao Linnet',
    status: {
      paid: 'Este pedido foi pago.',
      failed: 'O pagamento falhou.',
      canceled: 'Este pedido foi cancelado.',
      expired: 'Este pedido expirou.',
      refunded: 'Este pedido foi reembolsado.',
    },
    notFound: 'Página de pagamento não encontrada',
    notFoundHint:
      'O endereço está incompleto ou não é deste servidor. Volte ao Linnet e tente de novo.',
  },
  note: { mindMap: 'Mapa mental' },
  share: {
    untitled: 'Gravação, {date}',
    transcript: 'Transcrição',
    summary: 'Resumo',
    todos: 'Tarefas',
    audio: 'Áudio',
    kinds: {
      extractive: 'Frases da transcrição, selecionadas pelo analisador integrado.',
      generative: 'Escrito por IA. Confira os detalhes importantes na transcrição.',
    },
    empty: 'Ainda não está disponível.',
    none: 'Nenhuma.',
    unavailable: 'Não está disponível.',
    playFrom: 'Reproduzir a partir de {time}',
    done: 'Concluída',
    unplayable: 'Seu navegador não consegue reproduzir este áudio.',
    download: 'Baixar o áudio',
    passwordTitle: 'Esta gravação está protegida',
    passwordHint: 'Digite a senha que você recebeu de quem compartilhou a gravação.',
    password: 'Senha',
    open: 'Abrir',
    wrongPassword: 'Senha incorreta',
    tooManyAttempts: 'Muitas tentativas. Espere um pouco e tente de novo.',
    invalidTitle: 'Este link não é válido',
    invalidText:
      'Ele expirou, foi desativado ou está incompleto. Peça um novo link a quem o compartilhou.',
    failedTitle: 'Não foi possível carregar a página',
    failedText: 'Tente de novo em instantes.',
  },
};
