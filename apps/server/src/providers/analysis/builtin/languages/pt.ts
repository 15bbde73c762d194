import { alternation, cue, enumerateWords, type LanguageData, NAME } from './data.ts';

const prefix =
  '(?:(?:e|então|bom|bem|olha|olhe|tá|ok|certo|claro|sim|não|ah|ó|pois|também|depois|primeiro|por último|agora|combinado|beleza|perfeito|ótimo|aí|calma|fechado|pode deixar|deixa comigo|hoje|amanhã|por favor|por mim|da minha parte)[, ]+)*';
/** Imperatives for common requests: "tu", "você" and plural. */
const command = `${alternation(`
  abr(?:e|a|am) adicion(?:a|e|em) agend(?:a|e|em) ajud(?:a|e|em) anot(?:a|e|em) apont(?:a|e|em) arranj(?:a|e|em) arrum(?:a|e|em) assin(?:a|e|em) atualiz(?:a|e|em) avis(?:a|e|em) baix(?:a|e|em) busca busque[m]? cancel(?:a|e|em) cham(?:a|e|em)
  coloca coloque[m]? compr(?:a|e|em) confer(?:e|ir) confir(?:a|am) confirm(?:a|e|em) consult(?:a|e|em) contat(?:a|e|em) convers(?:a|e|em) convid(?:a|e|em) corrij(?:a|am) corrige cuid(?:a|e|em) dá dê[e]?m? deix(?:a|e|em) entreg(?:a|ue|uem) entr(?:a|e|em) em(?:\\scontato)? envi(?:a|e|em) escrev(?:e|a|am) explica explique[m]?
  faz faça[m]? fal(?:a|e|em) fecha feche[m]? fica fique[m]? guard(?:a|e|em) imprim(?:e|a|am) preench(?:e|a|am) tom(?:a|e|em)(?=\\s(?:[oa]s?|uma?|dois|duas)\\s) volt(?:a|e|em) lembr(?:a|e|em) lev(?:a|e|em) lig(?:a|ue|uem) limp(?:a|e|em) mand(?:a|e|em) marca marque[m]? mostr(?:a|e|em) olh(?:a|e|em) organiz(?:a|e|em) pag(?:a|ue|uem) pass(?:a|e|em) peça[m]? pede peg(?:a|ue|uem) pergunt(?:a|e|em) põe ponha[m]? prepar(?:a|e|em)
  procur(?:a|e|em) publica publique[m]? recolh(?:e|a|am) reserv(?:a|e|em) resolv(?:e|a|am) revis(?:a|e|em) separ(?:a|e|em) sobe suba[m]? tir(?:a|e|em) traz traga[m]? troca troque[m]? termin(?:a|e|em) trat(?:a|e|em) vê veja[m]? verifica verifique[m]? vá vai vem venha[m]?
`)}(?:-(?:me|nos|lhes?|[ao]s?|l[ao]s?))?`;
const timeAdverb =
  '(?:amanhã|hoje|depois|logo|à tarde|à noite|ainda|(?:esta|essa|na) (?:semana|tarde|noite|segunda|terça|quarta|quinta|sexta)|(?:no|este|neste) (?:sábado|domingo|fim de semana)|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|semana que vem|(?:n)?a próxima|próxima semana|antes d[eao]|assim que|quando|até)';
const firstPersonVerb = alternation(
  'ligo mando envio trago faço preparo levo passo busco compro reservo peço escrevo aviso falo reviso consulto pergunto imprimo confirmo verifico vejo trato marco pego resolvo converso entrego arrumo organizo separo assino pago dou comento chamo deixo limpo conserto encomendo alugo empresto inscrevo mostro pesquiso testo troco anoto arranjo publico posto edito cuido atualizo coloco ponho subo agendo monto fecho',
);
const personName = `(?:(?:[oa] |do |da )?(?:seu|dona|senhora?|dr\\.|dra\\.|doutora?|professora?) )?${NAME}`;
/** Group plans, which are not to-dos. */
const plan = String.raw`\b(?:a gente (?:não )?(?:deixa|tira|mantém|cancela|adia|divide|começa|abre|fecha|sai|renova|muda|faz sem)|vamos (?:deixar|tirar|manter|cancelar|adiar|dividir|começar|abrir|fechar|sair|renovar|mudar|passar [oa]|nos reunir|fazer sem))\b`;
/** Words that introduce a conclusion. */
const conclusion =
  '(?:(?:bom|então|tá certo|tá bom|muito bem|beleza|paciência|ok|certo|ótimo|pronto)[, ]+)+';

export const pt: LanguageData = {
  todos: {
    requests: [
      cue`\b(?:combinado|decidido|acertado) que (?:[oa] )?\p{Lu}\p{L}+ (?!vai ser|é|está)\p{L}+`,
      cue`^${prefix}(?:você |${personName}, )?(?:me|nos) (?:envia|manda|passa|liga|traz|avisa|ajuda|empresta|confirma|deixa|faz|busca|reserva|compra|mostra|encaminha)\b`,
      cue`\b(?:você|vocês|tu|o senhor|a senhora|alguém) (?:me |nos )?(?:pode|podem|podes|poderia|poderiam|consegue|conseguem|consegues|conseguiria)(?: me| nos| lhe)? (?:por favor )?\p{L}+[aeiô]r\b`,
      cue`^${prefix}(?:${personName}, )?(?:me |nos )?(?:(?:poderia|poderias|poderiam|podias)(?=[^.!]*\?)|pode|podem|podes|consegues|consegue|dá pra você|dá para você|dava para|importa-se de|se importa de)(?: me| nos|-me|-nos)? (?!(?:ser|estar|ter|haver)\b)\p{L}+[aeiô]r(?:-\p{L}+)?\b`,
      cue`\b(?:será que )?(?!(?:Eu|Ele|Ela|Nós|Eles|Elas|Isso|Aqui|Agora)\b)(?:você|vocês|tu|o senhor|a senhora|alguém|${personName}),? (?:me |nos |já |também )?(?:se importa de|pode|podes|podem|podia|podias|podiam|poderia|poderias|poderiam|consegue|consegues|conseguem|conseguia|quer|queres)(?: me| nos| lhe|-me|-nos)? (?:por favor )?(?!(?:ser|ouvir|ver|dizer|explicar|repetir|imaginar)\b)\p{L}+[aeiô]r(?:-\p{L}+)?\b`,
      cue`\b(?:se (?:você |vocês |o senhor |a senhora )?(?:puder|puderes|puderem|pudesse|pudesses|der)|conto (?:contigo|com você|com vocês)|(?:faz|faça|faz-me|faça-me)(?:-me)? (?:o|um) favor|(?:preciso|queria|quero|espero|gostava|gostaria|convém|peço|importante|prefiro|é bom) (?:muito )?que (?:você |vocês |tu |alguém |o senhor |a senhora |${personName} )?(?:me |nos |lhe |se )?\p{L}+[ae](?:s|m|mos)?)\b`,
      cue`\b(?:você|vocês|tu) (?:me |nos |lhe )?(?:vê com|vês com|ligam?|ligas|mandam?|falam? com|trazem?|traz|passam? n\p{L}+|avisam?|pegam?|levam?|compram?|confirmam?|perguntam?|cuidam?|resolvem?|enviam?|marcam?|reservam?)\b[^.!]*\?`,
      cue`\bpor que (?:é que )?(?:você|vocês|tu) não (?:me |nos |lhe )?(?!(?:acha|acham|quer|gosta|sabe|pode|tem|está|vai|foi|veio|era|disse)\b)\p{L}+`,
      cue`^${prefix}(?!Sim|Não|Bom|Bem|Então|Claro|Ah|Oh|Oi|Olá)${personName}, (?:por favor,? )?(?!(?:ela|essa|nossa|agora|ainda|para|toda|outra|uma|cada|sobre|entre|hoje|pela|aquela|minha|sua|esse|este|que|ele|de|fora|falta|era|acha|quase|sempre)\b)\p{L}{3,}[ae] (?:o|a|os|as|um|uma|no|na|nos|nas|ao|à|para|pra|com|isso|esse|essa|meu|minha|teu|seu|mais)\b(?=[^?]*$)`,
    ],
    include: [
      cue`^${prefix}(?!(?:olha|olhe|escuta|vem|vamos|fala|vê|vai)[,.])(?:${personName}, )?(?:por favor,? )?(?:não (?:se )?esqueç?[ae]m?s? d[eao]|vê se|${command})(?: |,|\.)(?!então|embora|mais |demais|muit|bem |mal |quem|a atenção)`,
      cue`^${prefix}${personName}, [^.?!,]{2,40}, ${command}(?: |\.)`,
      cue`[,;:] (?:${personName}, )(?:por favor,? )?${command}(?: |,|\.|$)`,
      cue`\b(?:eu |nós |a gente |eu e [^,.]+ )(?:mesm[oa] |também |ainda |já )?(?:vou|vamos|vai) (?:lhe |te |me |já |logo )?(?!(?:ver|ser|estar|ter|dizer|morrer|achar)\b)\p{L}+[aeiô]r\b`,
      cue`^${prefix}(?:vou|vamos) (?:lhe |te |já |logo |também )?(?!(?:ver|ser|estar|ter|dizer|lá|embora|ficar|começar|falar de|falar sobre|passar|continuar)\b)\p{L}+[aeiô]r\b`,
      cue`\b(?:eu )(?:mesm[oa] |também |já |te |lhe |vos )*${firstPersonVerb}\b`,
      cue`^${prefix}${firstPersonVerb}\b.*\b${timeAdverb}(?![\p{L}])`,
      cue`\b(?:tenho|temos|tem|têm|tens) (?:de|que) (?!(?:ver|ser|estar|dizer|admitir|reconhecer)\b)\p{L}+r\b`,
      cue`\b(?:preciso|precisamos|precisa|precisam|você precisa|devo|devemos|deve|devem|falta|é preciso|é necessário|convém|há que) (?!(?:ser|estar|ver|ter|haver|saber|dizer)\b)\p{L}+[aeiô]r\b`,
      cue`\b(?:vou|vais|vai|vamos|vão) ter (?:que|de) (?!(?:ser|estar|esperar|aguentar|ver)\b)\p{L}+[aeiô]r\b`,
      cue`\bfico com (?:o|a|os|as|isso|essa|esse)\b|\b(?:ficou|ficaram|fiquei|ficámos) de \p{L}+[aeiô]r\b`,
      cue`\b(?:te|lhe|lhes|vos) (?!(?:digo|conto|explico|agradeço|juro|garanto|desejo|entendo|ouço|vejo|conheço|amo|adoro|peço|prometo|todo|como|não)\b)\p{L}{2,}o\b(?<!ndo|ado|ido)`,
      cue`(?:^${prefix}|[,;] |\be )(?:eu )?(?:te |lhe |me |já |também |mesm[oa] |vos )*(?!(?:como|quando|quanto|tudo|tenho|acho|venho|posso|quero|preciso|espero|só|outro|não|eu|algo|nosso|entendo|vejo|digo|penso|lembro|suponho|prefiro|imagino|ano|mesmo|certo|menos|isso|isto|trabalho|moro|então|claro|pelo|no|do|ao|o|sinto|domingo|prazo|sábado)\b)\p{L}{3,}o\b(?<!ndo|ado|ido|ção|ão|rio|nto|mos) (?=.*(?:amanhã|mais tarde|hoje (?:à|mesmo|ainda)|(?:esta|essa) semana|(?:na|no|até|até a) (?:segunda|terça|quarta|quinta|sexta|sábado|domingo)|semana que vem|próxim[oa] (?:semana|mês|segunda|terça|quarta|quinta|sexta)|fim de semana|assim que|quando eu|antes d))`,
      cue`\b(?:precis(?:a|am)|tem|têm|deve|devem) (?:de |que )?(?:ser|estar|ficar) \p{L}+(?:ad|id|t|g)[oa]s?\b`,
      cue`\b(?:não (?:se |te |nos |vos )?(?:me )?esque\p{L}+|não deix\p{L}+ de|fic(?:o|a|am|as|amos) de|trat(?:o|a|as|amos) d|cuid(?:o|a|as|amos) d|encarreg\p{L}+ d|comprometo)`,
      cue`\b(?!(?:Quem|Que|Quando|Onde|Isso|Isto|Tudo|Ninguém|Amanhã|Hoje|Você|Ele|Ela)\b)${personName} (?:vai|fica de|trata d\p{L}+|cuida d\p{L}+|tem de|tem que|precisa(?: de)?|deve) (?!(?:ser|estar|ter|custar|chover|haver|dar)\b)\p{L}+[aeiô]r\b`,
      cue`\beu (?:te |lhe |já |mesm[oa] )?(?!(?:acho|tenho|sinto|moro|trabalho|vivo|acordo|almoço|durmo)\b)\p{L}{3,}o [^?,]* e (?:já |te |lhe )?(?!(?:como|outro|pouco|muito|quando|tenho|tudo|sábado)\b)\p{L}{3,}o\b(?<!ado|ido|ndo)`,
      cue`^${prefix}\p{L}{3,}em (?:[oa]s?) [^?]*\b(?:antes|quando|até|depois|por favor)\b`,
    ],
    exclude: [
      cue`\b(?:coloca-te|ponha-se|coloque-se|se coloca|se ponha) no lugar\b|\bdá tempo ao tempo\b|^${prefix}dá (?:para|pra)\b`,
      cue`\b(?:teria|tinha|haveria|deveria ter|devia ter|poderia ter|como se|desde)\b`,
      cue`\bnão (?:é )?(?:precisa|precisam|preciso|precisamos|precisas|há necessidade|é necessário|tem que|têm que|tem de|temos que|temos de|tenho de|tenho que|vale a pena|adianta)\b`,
      cue`\bse (?:\p{L}+ ){0,3}?\p{L}+(?:asse|esse|isse|ássemos|êssemos|íssemos|assem|essem|issem|fosse|fossem)\b`,
      cue`\b(?:oxalá|tomara|quem me dera|deveria ter|devia ter|devíamos ter|teria de|tinha que|tinha de|tínhamos|tive de|tive que)\b`,
      cue`^(?:olha|olhe|veja|vê|vem|vai|vamos|fala)(?: só| lá)?[.,!]?$|\b(?:vamos ver|vou te dizer|deixa (?:eu )?ver|fica tranquil[oa]|fique tranquil[oa]|vai dar certo)\b|\bvai (?:ser|estar|ter(?! (?:que|de) )|dar|ficar|custar|chover|haver)\b`,
      // Quoted speech.
      cue`\b(?:diz|disse|dizia|falou|fala|falava|respondeu|responde|gritou|perguntou)(?: [^.,:?]{0,15})?: `,
      // Permissions.
      cue`\b(?:pode|podem|podes|dá para|dá pra)\b[^?]*\bse (?:preferir|quiser|desejar|preferires|quiseres)\p{L}*|\bganh\p{L}+ na loteria\b`,
      cue`\b(?:peç|ped)\p{L}+ (?:desculpas?|perdão)\b`,
      // Agreement that names no task.
      cue`^(?:(?:sim|tá|tá bom|ok|claro|sem problema|beleza|pode deixar|combinado)[,.]? )?(?:eu )?(?:cuido|faço|resolvo|vejo|deixa comigo|deixe comigo)(?: (?:disso|isso))?[.!]?$`,
      // Questions about an ability.
      cue`\b(?:consegue|conseguiria|pode)m? (?:estacionar|ver (?!se|com)|viver|acreditar|imaginar|comer|dormir|ouvir|pagar com)\b`,
    ],
    descriptions: [
      cue`\b(?:sempre|normalmente|geralmente|em geral|costum(?:o|a|am|amos|as)|às vezes|de vez em quando|(?:todos os|todas as|todo|toda|cada) (?:dia|semana|mês|meses|ano|manhã|tarde|noite|vez|segunda|terça|quarta|quinta|sexta|sábado|domingo|primavera|verão|outono|inverno)s?|hoje em dia|ultimamente|(?:uma|duas) vez(?:es)? por|aos (?:sábados|domingos)|às (?:segundas|terças|quartas|quintas|sextas))\b`,
      cue`\b(?:disse|disseram|dizia|diziam|diz|dizem|falou|falaram|fala|comentou|pediu|pediram|pedem|contou|quer|querem|queria|queriam|insistiu|insiste|exige|exigem|acha|acham|achava|pensava|sugeriu|mandou|avisou) (?:\p{L}+ )?(?:que|pra|para)\b(?<!\b(?:você|eu|tu) (?:quer|queria) que)(?!.*\b(?:então|e) (?:eu|vou|a gente|temos)\b)`,
      cue`\b(?:em teoria|no meu tempo|antigamente|quando eu era|ia \p{L}+r|íamos|iam \p{L}+r|talvez|quem sabe|um dia|um dia desses|mais cedo ou mais tarde|parece que|no seu lugar|no teu lugar|supostamente|se desse|quem dera)\b`,
      cue`\b(?:nunca|jamais|não|ninguém) (?:mais )?(?:me |te |se |nos |lhe |o |a )*(?:vou|vamos|vai|vão|irei|precis\p{L}+|\p{L}+[aei]rei|\p{L}+[aei]remos|tem|têm)\b`,
      cue`\b(?:as pessoas|todo mundo|toda a gente|os clientes|as crianças|os alunos|os vizinhos|cada um|eles|elas) (?:agora |sempre )?(?:têm|tem|precisam?|devem?) (?:que |de )?(?:se )?\p{L}+r\b`,
      cue`\btem (?:que|de) \p{L}+r (?:\p{L}+ ){0,3}(?:duas|três|várias) vezes\b`,
      cue`\b(?:vai|vão|vamos|vou) (?:me |te |se |lhe )?(?:adorar|gostar|amar|detestar|custar|levar (?:\p{L}+ ){0,2}(?:um|uma|uns|dois|tempo|meses|mês)|demorar|durar|chover|chegar|sobrar|faltar|acabar|cair|perder|sentir|lembrar|esquecer|rir|sair (?:caro|bem|mal)|cobrar|subir|precisar|parecer|morrer|acostumar|sobreviver|dar|ser|estar|ter(?! (?:que|de) )|haver|ficar (?!com|de|responsáve))\p{L}*\b`,
      cue`\bé (?:porta|coisa|assim|sempre)\b|(?<!\be )\b(?:te|lhe) (?:falo|digo|conto|juro|garanto)\b`,
      cue`^(?:tá|está|ok|sim|certo|claro|combinado|beleza|perfeito)?(?: bom| bem)?,? ?(?:eu )?(?:assim |isso )*(?:farei|faço|vou fazer)(?: assim| isso)?[.!]?$`,
      // General rules, and opinions about what others should do.
      cue`\b(?:quem|quando (?:você|a gente|se)) (?:se )?\p{L}+[ae]\b[^,]*,? (?:tem|têm|precisa|deve) |\bpara (?:isso|isto)\b[^,]*,? (?:tem|é preciso|precisa)\b`,
      cue`\b(?:acho|penso|imagino|suponho) que (?:\p{L}+ )?(?:deviam|deveriam|eles|elas|o|a|os|as|vão)\b|\b(?:acho|suponho|imagino) que (?:a gente vai|vamos) ter\b`,
      cue`(?:^${prefix}|[,;] )vão \p{L}+r\b|\b(?:você|vocês|tu) (?:vai|vão|vais) (?:ver|gostar|adorar|entender)\b`,
      cue`\bfic(?:o|amos) com (?:[oa]s? )?(?:primeir|segund|terceir|últim|mesm|azul|verde)`,
      // Reactions to events, durations and distances.
      cue`\bse (?!ninguém|alguém|você|vocês|a gente|puder|der|eu |tu |não )[^,]+, (?:vamos|vai|a gente|temos|tem) `,
      cue`\b(?:desde|há) (?!a casa)\p{L}+|\btem (?:que|de) [^.]*\b(?:minutos?|horas?|quilômetros?)\b|\bdevem? (?:vir|estar|ser|ter|chegar|dar|ficar|custar)\b|\bfalta falar\b|\bele (?:tem|vai ter) (?:que|de)\b|\bela (?:tem|vai ter) (?:que|de)\b`,
      // Group plans, which are not to-dos.
      cue`${plan}`,
      cue`\bess[ae] (?:máquina|aparelho|porta|caldeira|programa) (?:tem que|precisa)`,
    ],
    immediate: [
      cue`\b(?:espera|espere|esperem|esperas|um momento|um segundo|um segundinho|um minuto|só um|calma aí|peraí|pera|me dá um)\b`,
      cue`\b(?:abr|fech|acend|apag|lig|deslig|aument|baix|abaix|sub)\p{L}* (?:um pouco |só )?(?:a|o|as|os|uma|essa|esse) (?:janelas?|portas?|persianas?|cortinas?|luz|luzes|ar|aquecimento|aquecedor|ventilador|microfone|som|volume|música|câmera|câmara)\b(?!.*\b(?:antes|quando|ao sair)\b)`,
      cue`\b(?:compartilh|partilh|mostr|projet|pôr|por na)\p{L}* (?:a |o |minha |meu |na )?(?:tela|ecrã|slides?|apresentação)\b`,
      cue`\b(?:deixa eu|deixe-me|deixa-me|vou) (?:só |já |te |lhe |vos |rapidinho )*(?:ler|entender|considerar|mostrar|explicar|contar|dizer|falar|ver|pegar (?:uma|um|a|o|mais|água|café)|buscar (?:uma|um|água|café)|tomar|beber|ser|pôr|colocar na|resumir|repetir|começar|fazer uma pergunta|acrescentar)\b(?!.*\b(?:para|pra|ao|com) (?:o|a) )`,
      cue`\b(?:sente-se|sentem-se|senta|sentem|entrem|entra|fiquem à vontade|sirvam-se|escutem|ouçam|olhem (?:isto|isso|aqui)|olha (?:isto|isso|aqui)|levanta a mão|fala mais alto|passa o|me passa (?:o|a) (?:sal|açúcar|caneta|água)|chega (?:mais )?para)\b`,
      cue`\b(?:vamos|precisamos|temos (?:que|de)|a gente (?:precisa|tem que|devia)|podemos|preciso|quero|queria|volto) (?:de |a |então |agora |primeiro |só )*(?:falar|conversar|começar|fazer uma (?:pausa|rodada)|pensar|discutir|passar (?:para|pra|ao|à)|seguir|continuar|voltar|parar|terminar|acabar|encerrar|decidir|ver|lembrar|dizer|a isso|nos concentrar|em frente|ao próximo|por partes)\b`,
      cue`\b(?:comecemos|passemos|voltemos|sigamos|continuemos)\b`,
      // Prompts to speak, and instructions typical of exams, lessons and calls.
      cue`\b(?:me|nos) (?:conta|conte|diz|diga|explica|explique|mostra|mostre|fala|fale)\b|^${prefix}(?:conte|explique|mostre|repita|descreva|fale (?:um|mais|sobre|de)) |\b(?:pode|poderia|consegue)(?: me| nos)? (?:repetir|explicar|dizer|descrever|contar|esclarecer|soletrar)\b`,
      cue`\b(?:a boca|a língua|o joelho|cadernos?|na página|botão|a tela|não desligue|vou passar para o setor|agora mesmo|ponto por ponto|no mapa)\b|\bvou (?:te|lhe|vos) fazer\b|\bte deixo falar|\bvamos (?:olhar|ver|ler)\b`,
      // Requests to the audience, and prohibitions.
      cue`\b(?:atualiza a gente|a mão os|com cuidado|palmas|à vontade|comam|bebam|rezar)\b|\bdeixa eu (?!ver com|falar com|ligar)\p{L}+r\b|^${prefix}pass\p{L}+ (?:as fotos|a palavra|o microfone)`,
    ],
    unassigned: [
      // Duties of people and institutions outside the conversation.
      cue`^${prefix}(?:o|a|os|as|seu|sua|seus|suas) (?!(?:equipe|turma|gente|grupo|resto|senhora?|que)\b)(?:\p{L}+ ){1,3}?(?:tem|têm|deve|devem|precisam?|vai ter|vão ter)(?: que| de)? \p{L}+r\b`,
      cue`\b(?:os|as) \p{L}+s (?:\p{L}+ )?(?:vão ter|têm|devem|precisam|terão) |(?:^${prefix}|[,;] )vamos (?!pedir|ligar|comprar|mandar|avisar|perguntar)\p{L}+[aeiô]r\b`,
      cue`\b(?:a gente|nós|se) (?:devia|deveria|devíamos|deveríamos)\b|\b(?:devíamos|deveríamos)\b`,
    ],
    withdrawn: [
      cue`^(?:(?:não|ah|oh|olha|bom|espera|obrigad[oa]|calma|mas|na verdade|que|${NAME})[,.]? )*(?:não precisa|não é preciso|não é necessário|não se incomode|nem precisa|deixa(?: pra lá| para lá| estar| isso)?|deixe estar|brincadeira|estou brincando|tô brincando|estou a brincar|esquece|esqueça|não,? obrigad[oa]|melhor não|nem pensar)(?=[.,!;]|$)`,
      // Already done, declined, or a joke.
      cue`^(?:(?:não|ah|oh|olha|bom|espera|obrigad[oa]|mas|${NAME})[,.]? )*(?:(?:eu |a gente |ele |ela )?já (?:fiz|fez|fizemos|mandei|comprei|liguei|paguei|pedi|resolvi|está)|muito engraçad[oa]|ha,? ha|rsrs|de jeito nenhum|nem morto|nem morta|nem pensar)\b`,
    ],
    who: [
      cue`^${prefix}(?!Sim|Não|Bom|Boa|Bem|Então|Claro|Certo|Ok|Perfeito|Ótimo|Beleza|Olha|Oi|Olá|Obrigad[oa]|Hoje|Amanhã|Depois|Combinado|Fechado|Calma|Tem|Pego|Pode)(?<who>${personName}), `,
      cue`[,;:] (?<who>${personName}), `,
      cue`, (?<who>${personName})(?:, por favor)?[?.!]*$`,
      cue`\b(?!Quem|Eu|Você|Tu|Ele|Ela|Nós)(?<who>(?:[oa] )?${NAME}) (?:vai|tem (?:de|que)|fica de|precisa)\b`,
    ],
    when: [
      cue`\b(?<when>(?:antes d[eao]s?|depois d[eao]s?|assim que|logo que|quando|até que) [^,.;?!]+?)(?:,|[.;?!]|$| e )`,
      cue`\b(?<when>mais tarde|depois|já já|agora mesmo|o quanto antes)\b`,
    ],
  },
  questions: {
    marked: true,
    interrogatives: cue`\b(?:o que|que horas|qual|quais|quando|onde|aonde|quem|por que|quant[oa]s?|como)\b`,
    answers: cue`^(?:(?:bom|ah|pois|olha|${NAME}),? )*(?:não|sim|tá|claro|ninguém|nada|eu não|eu sim|exato|acho que (?:sim|não)|ótimo|perfeito|com certeza|nunca|eu mesm[oa] respondo)\b`,
    include: [
      cue`\b(?:queria|gostaria de|gostava de|queríamos) (?:saber|perguntar(?:-lhe)?|te perguntar|lhe perguntar) (?:se|que|qual|quando|quanto|quantos|onde|como|quem|a que)\b`,
    ],
    exclude: [
      cue`^(?:(?:\p{L}+ ){0,2}\p{L}+, )*(?:e |então )*(?:tudo (?:bem|bom|certo|joia)|como (?:vai|vão|está|estão|estás|tem passado|foi a viagem|é que está)|está (?:todo mundo|tudo|toda a gente) bem|estão (?:todos )?bem|(?:vocês )?(?:me ouvem|me escutam|estão me ouvindo|conseguem me ouvir)|estão a ouvir-me|dá (?:para|pra) (?:me )?ouvir)\b`,
      cue`\b(?:quem (?:é que )?(?:diria|não (?:quer|queria|gosta)|sabe|aguenta|guarda tant|vai acreditar|acredita|consegue viver|merece)|onde já se viu|o que (?:é que )?(?:se|a gente) (?:há-?de|pode|vai) fazer|fazer o quê|pra que tant|para que tant)`,
      cue`,? (?:né|não é|hein|viu|tá|certo|percebes|sabe|entende|pois não)\?$`,
      cue`\b(?:lembra|lembram|lembras)(?:-se)?(?: disso)? ?\?$|\b(?:desde quando|quantas vezes|de que adianta|quem nunca|quem não|já pensou|já imaginou|imagina|e eu com isso|quem ainda)\b`,
      cue`^(?:sério|a sério|como|quê|verdade|é mesmo|ah é|e aí)\?$|\b(?:me pergunto|perguntei-me|pensei)[,:]`,
    ],
  },
  knowledge: {
    include: [
      cue`\b(?:chama-se|se chama|chamam-se|se chamam|chamamos|é conhecid[oa]s? como|são conhecid[oa]s como|define-se|é definid[oa]|significa|significam|quer dizer|consiste em|consistem em|entende-se por|por definição|ou seja|refere-se a|equivale a)\b`,
      cue`^${prefix}(?:um|uma|o|a|os|as) [^,.;?!]{2,60} (?:é|são) (?:um|uma|o|a|os|as) (?:tipo|forma|método|processo|conjunto|medida|maneira|quantidade|parte|sistema|técnica|unidade|lei|teoria|período|capacidade|relação|número|ramo|estudo)s? \p{L}+`,
      cue`\ba (?:diferença entre|definição de)\b`,
    ],
    exclude: [cue`\b(?:quero dizer|quer dizer que sim)\b`],
  },
  needs: {
    include: [
      cue`\b(?:preciso|precisamos|precisam|precisa|quero|queremos|querem|queria|queríamos|requer|prefiro|preferimos)\b`,
      cue`\b(?:gostaria|gostaríamos|gostava|gostávamos|procuro|procuramos|estou procurando|estamos procurando|estamos à procura|estou à procura|falta|faltam|tomara|oxalá|fazem? falta|seria (?:bom|ótimo|ideal))\b`,
    ],
    exclude: [
      cue`\bnão (?:preciso|precisamos|precisam|precisa|quero|queremos|querem|falta|faltam)\b`,
    ],
  },
  decisions: {
    include: [
      cue`(?:^(?:fechado|decidido|aprovado)[,.]|\b(?:t[áa]|está|fica|ficou) (?:decidid|combinad|fechad|resolvid|acertad|aprovad)[oa]|\b(?:a gente|nós|todo mundo) (?:resolve\p{L}+|decidi\p{L}+|combin\p{L}+|fech\p{L}+|aprov\p{L}+)|\bbatemos o martelo)`,
      cue`\b(?:decidimos|decidi|ficou (?:decidido|combinado|acertado|definido|resolvido)|fica (?:decidido|combinado|acertado)|está (?:decidido|combinado|fechado|aprovado)|combinamos|concordamos|aprovamos|optamos|escolhemos|acertamos|foi (?:aprovad[oa]|decidid[oa]))\b`,
      cue`\b(?:então (?:ficamos|fica|vamos com|fechamos|fazemos)|vamos (?:ficar com|com o|com a|optar|fechar)|todos de acordo|negócio fechado|a decisão é|está aprovad[oa])\b`,
      cue`^${conclusion}(?:[^,.?]{0,20} )?(?:${plan}|vai ser )`,
      cue`\bponto final\b|\bassunto encerrado\b|\bé oficial\b|\b(?:a gente|nós) vot\p{L}+|\btodos a favor\b|\b(?:batido|bateu) o martelo\b|\bisso já está certo\b`,
    ],
    exclude: [cue`\b(?:não|ainda não|nada) (?:ficou|está|foi|decidimos)\b`],
  },
  transitions: cue`^(?:(?:bom|bem|então|certo|tá|ok|e|agora|perfeito|ótimo|beleza|gente|fechado|obrigad[oa])[,.]? )*(?:(?:o |a |um |uma )?(?:próxim[oa]|segund[oa]|terceir[oa]|quart[oa]|últim[oa]|outr[oa]) ?(?:(?:ponto|assunto|tema|coisa|item|questão|pauta)\b|[,:])|(?:por último|por fim|finalmente|segundo|outra coisa|mudando de assunto|em seguida|próximo)\b|(?:vamos|passemos|passamos|passando|seguindo|agora vamos) (?:agora |então |lá )?(?:para|pra|ao|à|falar|passar) |(?:quanto|em relação|com relação|sobre) (?:ao|à|aos|às|a|o|as|os) |agora (?:o|a|os|as|sobre|vem)|e (?:o|a) (?:questão|assunto|história) d|falta (?:o|a)|falando (?:em|de|n))`,
  announcements: [
    cue`\bhoje (?:vamos|a gente vai) (?:falar|tratar|ver|discutir|conversar)(?: de| da| do| sobre)? (?<topic>[^.!?]+)`,
    cue`\b(?:estou ligando|ligo|estou a ligar|liguei) (?:por causa d[eao]|para|pra|sobre|porque) (?<topic>[^.!?]+)`,
  ],
  numbers: {
    words: {
      zero: 0,
      'uma?': 1,
      'dois|duas': 2,
      ...enumerateWords(
        'três quatro cinco seis sete oito nove dez onze doze treze (?:c|qu)atorze quinze',
        3,
      ),
      ...enumerateWords('dez[ae]sseis dez[ae]ssete dezoito dez[ae]nove', 16),
      ...enumerateWords('vinte trinta quarenta cinquenta sessenta setenta oitenta noventa', 20, 10),
      'cem|cento': 100,
      ...enumerateWords(
        'duzent[oa]s trezent[oa]s quatrocent[oa]s quinhent[oa]s seiscent[oa]s setecent[oa]s oitocent[oa]s novecent[oa]s',
        200,
        100,
      ),
      meio: 0.5,
    },
    multipliers: { mil: 1000, 'milh(?:ão|ões)': 1e6 },
    separator: '(?: e | )',
    vague:
      '(?:(?:alguns|algumas|uns|umas|vários|várias) (?:centenas|milhares|milhões|mil)(?: de)?|(?:centenas|milhares) de)',
  },
  money: {
    currencies: [
      { word: 'reais|real', code: 'BRL' },
      { word: 'euros?', code: 'EUR' },
      { word: 'dólar(?:es)?', code: 'USD' },
      { word: 'libras?', code: 'GBP' },
      { word: 'kwanzas?', code: 'AOA' },
      { word: 'meticais|metical', code: 'MZN' },
      { word: 'escudos?', code: 'CVE' },
    ],
    signs: { '\\$': null },
    connector: '(?: de )',
    withoutCurrency: [
      String.raw`\b(?:custa|custam|custou|custaram|paguei|pagamos|pagaram|cobra|cobram|cobrou|cobraram|sai a|sai por|saiu por|fica em|ficou em|ficou por|gastei|gastamos|vale) (?:uns |umas |quase |só |cerca de )?{n}\b(?=[,.;?!]|$| (?:cada|por|por mês|à|e|mas|no total))(?![,.]\d)(?! por cento)`,
    ],
    bare: {
      subject: String.raw`\b(?:cust\p{L}+|preç\p{L}+|pag[aou]\p{L}*|orçamento\p{L}*|aluguel|renda|mensalidade|taxas?|fatur\p{L}+|caução|sinal|salário|cobr\p{L}+|gast\p{L}+|dinheiro|barat\p{L}+|car[oa]s?|desconto|ganh\p{L}+|subsíd\p{L}+|verba|vend\p{L}+|compr\p{L}+|vale|sai por|tarifa\p{L}*|arrecad\p{L}+|cachê|adiantamento|oferec\p{L}+)\b`,
      next: String.raw` (?:por|cada|ao|a|e|ou|mas|se|é|era|em|de|mais|menos|com|para|pra|pro|que|no|na|tudo|já|agora|antes)\b`,
      labels: String.raw`\b(?:por(?= ?cento)|sala|número|página|andar|porta|linha|versão|passo|capítulo|rua|quarto|desde|até|em|artigo)`,
    },
    purposes: [
      cue`\b(?:gast(?:ei|amos|aram|ou|ar)|invest(?:ir|imos)|pag(?:uei|amos|ou)) [^.;?!]{0,40}\b(?:com|em|n[oa]|pel[oa]) (?<purpose>[^,.;?!]+?)(?=[,.;?!]|$| e\b)`,
      cue`\b(?:para|pra|pel[oa]s?|pro) (?<purpose>(?!cabeça|pessoa|mês|cada|isso|mim|nós|você|eu\b|um|uns|o que)(?:o |a |os |as )?[^,.;?!]+?)(?=[,.;?!]|$| (?:e|mas|se|porque|que|em|antes)\b)`,
      cue`\b(?<purpose>(?:o|a|os|as|cada|um|uma|meu|minha|nosso|nossa) (?:\p{L}+ ){0,3}?\p{L}+) (?:custa|custam|custou|custava|sai|saem|saiu|é|são|fica|ficou|foi|vale)\b`,
    ],
  },
  dates: {
    months:
      'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(
        ' ',
      ),
    weekdays:
      'domingo segunda(?:-feira)? terça(?:-feira)? quarta(?:-feira)? quinta(?:-feira)? sexta(?:-feira)? sábado'.split(
        ' ',
      ),
    relative: [
      ['hoje', 0],
      ['amanhã', 1],
      ['depois de amanhã', 2],
      ['ontem', -1],
      ['anteontem', -2],
      ['(?:hoje|esta|essa) (?:à )?(?:noite|tarde|manhã)', 0],
      ['(?:a )?semana (?:que vem|passada|seguinte|retrasada|próxima)', null],
      ['(?:o )?mês (?:que vem|passado|seguinte)', null],
      ['(?:a |o )?(?:próxim[oa]|últim[oa]) (?:semana|mês|fim de semana)', null],
      ['(?:est[ae]|ess[ae]) (?:semana|mês|fim de semana)', null],
      ['nest[ae] (?:semana|mês|fim de semana)', null],
      ['(?:o )?fim de semana(?: que vem| passado)?', null],
      ['(?:o )?(?:fim|final|começo|início|meio) do mês', null],
      ['(?:véspera de )?natal', null],
      ['réveillon|ano novo', null],
      ['carnaval', null],
      ['páscoa', null],
    ],
    ordinals: { 'primeiro|1º': 1 },
    words: {
      next: 'que vem|próxim[oa]|seguinte',
      last: 'passad[oa]|últim[oa]',
      this: 'est[ae]|ess[ae]|nest[ae]',
      'week+1': '(?:d)?a (?:semana que vem|próxima semana|semana seguinte)',
      'week-1': 'da semana passada',
      'week+0': 'dest[ae] semana',
      hour: String.raw`[012]?\d|uma|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze`,
      days: 'dias?',
      weeks: 'semanas?',
      months: 'm[eê]s(?:es)?',
      ahead: 'daqui a|daqui|dentro de|em',
      ago: 'há|faz',
    },
    forms: [
      String.raw`\b(?:o )?(?:dia )?(?:{day}|{ordinal}) de {month}\b(?: de {year}\b)?`,
      String.raw`\b(?:o )?dia (?:{day}|{ordinal})\b(?!,\d| de (?!novembro)\p{L}+)`,
      String.raw`\b{relative}(?![\p{L}])`,
      String.raw`\b(?:a |o )?(?:{this} |{next} |{last} )?{weekday}(?![\p{L}-])(?! (?:vez|parte|série|fase|classe|opção|pessoa|página|casa|turma|etapa|loja|edição|mão|via|filha|semana))`,
      String.raw`\b(?:a |o )?{weekday} (?:{next}|{last})\b`,
      String.raw`\b(?:a |o )?{weekday} (?:{week+1}|{week-1}|{week+0})\b`,
      String.raw`\b(?:a |o )?(?:primeir[oa]|segund[oa]|terceir[oa]|últim[oa]) {weekday} (?:de {month}|do mês)\b`,
      String.raw`\b(?:(?:o )?(?:fim|final|começo|início|meados|meio) de |(?:o )?mês de )?{month}\b(?: (?:passado|próximo|que vem)\b)?`,
      String.raw`\b(?<ahead>daqui a|daqui|dentro de) {n} (?:{days}|{weeks}|{months})\b`,
      String.raw`\b{ago} {n} (?:{days}|{weeks}|{months})\b(?! (?:que|sem)\b)`,
      String.raw`\b{n} (?:{days}|{weeks}|{months}) atrás\b`,
      String.raw`(?<![\p{L}])(?:às|as) {hour}(?::\d\d| ?h(?:\d\d)?)?(?: horas)?(?: e (?:meia|quinze|trinta|quarenta e cinco))?(?: (?:da (?:manhã|tarde|noite|madrugada)|em ponto))?\b(?! (?:por cento|pessoas))(?<!(?:^|[^à])as (?:\p{L}+|\d))`,
      String.raw`\b{hour}(?::\d\d)?(?: horas)?(?: e meia)? da (?:manhã|tarde|noite|madrugada)\b`,
      String.raw`\b[012]?\dh(?:[0-5]\d)?\b`,
      String.raw`(?<![\p{L}])(?:ao )?meio-dia(?: e meia)?\b`,
    ],
    parts: [String.raw`(?<![\p{L}])(?:à|de|da|pela) (?:manhã|tarde|noite)\b`, String.raw`\bcedo\b`],
    exclusions: [
      String.raw`\b(?:tod[oa]s? (?:[oa]s? )?|cada |aos |às )(?:{weekday}s?|dias?|semanas?|manhãs?|tardes?|noites?|m[eê]s(?:es)?)\b`,
      String.raw`\b(?:bom dia|boa tarde|boa noite|hoje em dia|um dia)\b`,
    ],
    separator: ',? ?(?:(?:às|à|por volta das?|de|da|na|no|em|pelas) )*',
    pastTense: cue`\b(?:era|foi|foram|estava|esteve|tinha|houve|terminou|começou|fechou|chegou|fez|disse|fizemos|\p{L}+(?:aram|eram|iram))\b`,
  },
};
