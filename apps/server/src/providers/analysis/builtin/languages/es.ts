import { alternation, cue, enumerateWords, type LanguageData, NAME } from './data.ts';

const prefix =
  '(?:(?:y|pues|entonces|bueno|vale|bien|sí|no|claro|ah|oye|oiga|mira|mire|perfecto|genial|de acuerdo|también|además|luego|después|primero|por último|ahora|hecho|venga|listo|eso|a ver|hoy|mañana|esta tarde|esta noche|por mi parte|por favor)[, ]+)*';
/** Object pronouns that can be attached to a verb. */
const clitic = '(?:me|te|se|nos|os|le|les|lo|la|los|las)';
/** Imperatives for common requests: "tú", "usted" and plural. */
const command = `(?:${alternation(`
  abr(?:e|a|an|id) acuérda|acuérde agend(?:a|e|en) anot(?:a|e|en|ad) apunt(?:a|e|en|ad) arregl(?:a|e|en) avis(?:a|e|en|ad) avís(?:a|e)
  ayud(?:a|e|en|ad) ayúd(?:a|e) baj(?:a|e|en|ad) busc(?:a|ad) busque[n]? búsca cambi(?:a|e|en) cancel(?:a|e|en) cierr(?:a|e|en) compr(?:a|e|en|ad) cómpr(?:a|e) comprueb(?:a|e|en)
  confirm(?:a|e|en|ad) confírm(?:a|e) consult(?:a|e|en|ad) contact(?:a|e|en|ad) corrij(?:a|an) corrige cuent(?:a|e|en) da dad? dele dame deme decid(?:id)? dile dime dígale[s]? deja deje[n]? dej(?:ad|en) diseñ(?:a|e|en)
  encárga encárgue entreg(?:a|ad) entregue[n]? entrégu?[ea] env[íi](?:a|e|en|ad) escrib(?:e|a|an|id) escríb(?:e|a) explic(?:a|ad) firm(?:a|e|en|ad) fírm(?:a|e) guard(?:a|e|en|ad) guárd(?:a|e) haz haga[n]? haced hazme imprim(?:e|a|an|id)
  invit(?:a|e|en|ad) lee lea[n]? leed limpi(?:a|e|en|ad) llam(?:a|e|en|ad) llám(?:a|e) llev(?:a|e|en|ad) llév(?:a|e) mand(?:a|e|en|ad) mánd(?:a|e) mir(?:a|e|en|ad) organic(?:e|en) organiza pag(?:a|ad) pague[n]? págu?[ea] pas(?:a|e|en|ad) pás(?:a|e)
  pid(?:e|a|an) pedid píd(?:e|a) pon(?:ga|gan|ed)? ponte pregunt(?:a|e|en|ad) pregúnt(?:a|e) prepar(?:a|e|en|ad) prepár(?:a|e) presént?(?:a|e|en|ad) prueb(?:a|e|en) public(?:a|ad) publique[n]? qued(?:a|e)te recog(?:e|ed) recoj(?:a|an) recuerd(?:a|e|en) recuérd(?:a|e) redact(?:a|e|en) repas(?:a|e|en|ad) repart(?:e|a|an|id) reserv(?:a|e|en|ad) resérv(?:a|e)
  revis(?:a|e|en|ad) revís(?:a|e) sac(?:a|ad) saque[n]? sub(?:e|a|an|id) súb(?:e|a) tra(?:e|iga|igan|ed) tráe tráiga termin(?:a|e|en|ad) ve vayan? verific(?:a|ad) verifique[n]? ven(?:ga|gan)? visit(?:a|e|en|ad)
`)}${clitic}{0,2}(?:lo|la|los|las)?)`;
const future = String.raw`(?!(?:ser|estar|podr|querr|sabr|habr|dir|ver|creer|ir|deber)(?:é|emos)\b)(?:\p{L}{2,}[aei]r|har|tendr|pondr|vendr|saldr)(?:é|emos)`;
/** Imperatives that only manage the conversation. */
const politePhrases =
  'd[ée]ja(?:me|nos) (?:ver|pensar|que)|d[íi]me|d[íi]g[aá]|cu[ée]nt|perd[óo]n|disc[úu]lp|f[íi]j|imag[íi]n|esp[ée]r|m[íi]r[ae]|cr[ée][ea]|expl[íi]|pás[ea](?:le|n)|si[ée]nt|p[óo]ng[aá](?:se|nse) cómod';
const timeAdverb = alternation(
  String.raw`mañana luego después hoy enseguida antes\sd\p{L}+ para\sel el\s(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo) en\scuanto este\sfin esta\smisma a\súltima a\sprimera la\ssemana\sque\sviene cuando\s\p{L}+ esta\s(?:tarde|noche|semana) (?:el|este)\s(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo) (?:la|esta)\spróxima\ssemana ahora\smismo enseguida`.replace(
    / (?=\()/gu,
    ' ',
  ),
);
/** Group plans, which are not to-dos. */
const plan = String.raw`\b(?:dejamos|dejaremos|quitamos|quitaremos|mantenemos|mantendremos|cancelamos|aplazamos|repartimos|repartiremos|empezamos (?!por|con)|empezaremos|abrimos|abriremos|cerramos|salimos|saldremos|renovamos|pasamos (?:el|la)|(?:nos )?reunimos|reuniremos|lo haremos|lo hacemos (?:sin|el|en))\b`;
/** Words that introduce a conclusion. */
const conclusion =
  '(?:(?:bueno|entonces|pues|nada|de acuerdo|muy bien|venga|vale|perfecto|bien)[, ]+)+';

export const es: LanguageData = {
  todos: {
    requests: [
      cue`(?:^|[^\p{L}])(?:¿ ?)?(?:me |nos |le |les |lo |la )?(?:(?:podr[íi]an?|pueden?)(?=[^.!]*\?)|puedes|pod[ée]is|podr[íi]as|podríais|te importar[íi]a|le importaría|te encargas|se encarga usted|puede usted) (?:por favor |tú |usted )?(?:de )?\p{L}+[aeií]r${clitic}{0,2}\b`,
      cue`\b(?:necesito|quiero|quisiera|me gustaría) que (?:me |nos |le |lo |la )?\p{L}+`,
      cue`¿ ?(?:\p{L}+, )?(?:tú |usted |y tú )?(?:te|se|os) (?:encarg|ocup|pas|acerc|animas? a|import(?:a|aría) \p{L}+r)\p{L}*\b`,
      cue`¿ ?(?:${NAME}, )?(?:me|nos|le|les|lo|se lo|se la) (?!(?:dices|ves|has|habéis|oís|seguís|crees|sabes|entiendes|quieres|puedes|tienes|debes|explicas|cuentas|parece|parecen)\b)\p{L}{2,}(?:as|es|áis|éis)\b`,
      cue`${NAME}, ¿ ?(?:tú |me |nos |lo |la |le |les )*(?!(?:sabes|crees|quieres|puedes|tienes|vienes|piensas|prefieres|recuerdas|conoces|entiendes|oyes|ves|has|eres|dices|necesitas|opinas|vas|debes|serás|estás)\b)\p{L}{3,}(?:as|es) (?:con|a|al|en|por|para|si|el|la|los|las|un|una|tú|cuánt\p{L}+|qué)\b`,
      cue`^${prefix}(?:preguntemos|llamemos|pidamos|miremos|busquemos|reservemos|compremos|avisemos|escribamos|mandemos|enviemos|preparemos|contactemos)\b`,
      cue`¿ ?por qué no (?:me |nos |le |les |lo |la |los |las |te |os |se )*(?!(?:sabes|quieres|puedes|tienes|estás|eres|has|crees|ves|dices|vas)\b)\p{L}{2,}(?:as|es|áis|éis)\b`,
    ],
    include: [
      cue`\b(?:tú|usted|vosotros|ustedes|${NAME}) (?:te|se|os) (?:encargas|encarga|encargan|encargáis|ocupas|ocupa|ocupan)\b`,
      cue`^¿?${prefix}(?!(?:venga|ven|ve|mira|oye|anda|vamos|di)[,.])(?:(?:oye |don |doña |señora? )?${NAME}, )?(?:por favor,? )?(?:no (?:te |se |os )?olvid(?:es|e|en|éis) |${command})(?: |,|\.|$)(?!más |demasiad|muy |much|bien|mal |quien|la atención|a la vez)`,
      cue`[,;:] ?(?:${NAME}, |por favor,? |y )?${command}(?: |,|\.|$)(?=.*\bpor favor\b)`,
      cue`[,;:] ?(?:${NAME}, )(?:por favor,? )?${command}(?: |,|\.|$)`,
      cue`\b${future}\b`,
      cue`\b(?:yo )?(?:voy|vamos|vas|vais) a (?:\p{L}+[aeií]r)${clitic}{0,2}\b(?<!ver|ser|estar|morir|decir)`,
      cue`^${prefix}que (?:lo |la |los |las )?(?:${NAME} \p{L}+[ae]n?|\p{L}+[ae] ${NAME})\b`,
      cue`\b(?:me|nos) (?:informo|entero|encargo|encargamos|ocupo|ocupamos|comprometo|comprometemos|apunto|ofrezco|toca)\b`,
      cue`\b(?:tengo|tenemos|tienes|tiene|tienen|tenéis) que (?!(?:ver|decir|reconocer|admitir|ser|estar|haber|gustar|costar|doler|parecer)\b)\p{L}+r`,
      cue`(?:^${prefix}|, |\by )(?:mañana|luego|después|hoy|esta (?:tarde|noche|semana|mañana)|este (?:finde|fin de semana)|el (?:lunes|martes|miércoles|jueves|viernes|sábado|domingo))(?: mismo| que viene| a primera hora| a última hora| por la (?:mañana|tarde|noche)| temprano)? (?:yo |ya )?(?:me |te |le |les |os |lo |la |los |las |se )*(?:llam|mand|enví|traig|hag|prepar|llev|pas|busc|compr|reserv|pid|escrib|avis|recoj|pong|habl|revis|consult|pregunt|sub|imprim|confirm|cancel|arregl|cambi|limpi|firm|entreg|encarg|cierr|apunt|redact|termin|sac|mir|cuelg|publi|pag|quit|mont|cort|coloc|acerc)\p{L}*o\b`,
      cue`\b(?:debo|debemos|debes|deben|debéis|hay que|habrá que|haría falta|hace falta|falta) (?!(?:ser|estar|ver|decir|reconocer|saber)\b)\p{L}+[aeií]r`,
      cue`\b(?:no (?:te |se |os )?olvid(?:es|e|en|éis)|acuérdate de|acuérdese de|acordaos de|recuerd(?:a|e|en|ad) (?!que)\p{L}+)`,
      cue`\byo (?:le |les |te |os |lo |la |me |se )*(?:llamo|mando|envío|traigo|hago|preparo|llevo|paso|busco|compro|reservo|pido|escribo|aviso|recojo|pongo|hablo|reviso|consulto|pregunto|subo|imprimo|confirmo)\b`,
      cue`^${prefix}(?:le |les |te |os |lo |la |los |las |me |se )*(?:llamo|mando|envío|traigo|hago|preparo|llevo|paso|busco|compro|reservo|pido|escribo|aviso|recojo|hablo|reviso|consulto|pregunto|subo|imprimo|confirmo)\b.*\b${timeAdverb}\b`,
      cue`^${prefix}(?!(?:Quién|Qué|Cuándo|Dónde)\b)${NAME} (?:se encarga|se encargará|se ocupa|va a \p{L}+r|tiene que|debe|\p{L}+[aei]rá)\b`,
      cue`^${prefix}que (?:alguien|uno de vosotros|uno de ustedes) (?:me |nos )?\p{L}+`,
      cue`(?:^¿?${prefix}(?:${NAME}, )?|[,;:] (?:${NAME}, )?(?:y |por favor,? )?)(?!${politePhrases})\p{L}*[áéíóú]\p{L}*(?<!nd[oó])(?:me|te|nos|le|les|se|lo|la|los|las)(?:lo|la|los|las)?(?<!^sólo|\bsólo|\béste|\bésta|culo|tulo|cula|coles|mula|bulo|iles|oles|lulas?|bilos?)(?: |,|\.)`,
      cue`\b(?:te|le|les|os|se) (?:lo |la |los |las )?(?!(?:dijo|hizo|puso|quiso|vino|trajo|tuvo|pudo|supo|anduvo|estuvo|dio|vio|contradijo|propuso|supuso|todo|mucho|poco|mismo|otro|primero|debo|gusto|importo|rio|río|llamo|odio|temo|hecho|dicho|visto|puesto|roto|abierto|muerto|escrito|vuelto|digo|cuento|explico|agradezco|juro|aseguro|deseo|felicito|entiendo|creo|escucho|oigo|veo|noto|conozco|recuerdo|prometo|tengo|puedo|debo|quiero|repito|como|no|yo)\b)\p{L}{2,}o\b(?<!ndo|ado|ido)`,
      cue`\b(?!(?:quiero|tengo|pienso|creo|digo|puedo|soy|veo|como|no)\b)\p{L}{2,}o yo\b(?<!(?:ando|endo|ado|ido|pero|como|bueno|cuando|claro|eso) yo)`,
      cue`(?:^${prefix}|[,;] |\by )(?:yo |me |te |le |les |os |lo |la |los |las |se |(?=(?:llam|mand|enví|traig|hag|prepar|llev|pas|busc|compr|reserv|pid|escrib|avis|recoj|pong|habl|revis|consult|pregunt|sub|imprim|confirm|cancel|arregl|cambi|limpi|firm|entreg|encarg|qued|cierr|apunt|organic|present|redact|termin|acab|recog|sac|miro|cuelg|publi|cobro|pag)\p{L}*o\b))+(?!(?:dijo|hizo|puso|quiso|vino|trajo|tuvo|pudo|supo|dio|vio|como|cuando|cuanto|pero|luego|bueno|claro|eso|esto|todo|tengo|creo|vengo|tuvo|puedo|quiero|necesito|espero|solo|sólo|otro|uno|no|yo|lo|algo|nuestro|entiendo|veo|digo|pienso|recuerdo|supongo|prefiero|imagino|ello|año|mismo|cierto|menos|cuánto|cómo|trabajo|vivo)\b)\p{L}{3,}o\b(?<!ndo|ado|ido|mente) (?=.*\b${timeAdverb})`,
      cue`\b(?:tendrás|tendrá|tendréis|tendrán|tendremos|tendré|deberás|deberá|deberéis|deberán|deberemos|deberías|debería|deberíamos|deberían|tendríamos|tendrías|tendría|conviene|convendría|toca|habría|queda|quedan|urge|es (?:importante|imprescindible|urgente|fundamental)) (?:que |por )?(?:me |nos |le |les |lo |la |se )*(?!(?:ser|estar|ver|decir|haber)\b)\p{L}+[aeií]r${clitic}{0,2}\b`,
      cue`\b(?:no (?:se |te )?(?:te |me |os )?olvid(?:es|e|en|éis|emos)|que no se (?:te|me|os|le|nos) olvide|hay que|encárg(?:ate|uese)|ocúp(?:ate|ese)|quedo en|quedas en|quedamos en que)\b`,
      cue`\by (?:me |te |os |le |les |se )?(?:lo|la|los|las) (?!(?:cuanto|mismo|otro|único|último|primero|nuestro|dejo|compro)\b)\p{L}{3,}o\b(?<!ado|ido)`,
      cue`\bnecesitamos (?!ser|estar|tener|saber|ver)\p{L}+[aeií]r`,
      cue`^${prefix}(?!usted|sed|red|pared|cid|madrid)\p{L}{2,}(?:ad|ed|id)(?<!dad|tad|tud)(?:l[aeo]s?|me|nos)? (?:el|la|los|las|un|una|a|al)\b`,
      cue`\bde (?:vuelta|camino|regreso)\b[^,.?]* (?:compro|paso|recojo|dejo|cojo)\b`,
    ],
    exclude: [
      cue`\b(?:ponte|póngase|poneos|pónganse) en |\b(?:dale|dadle|dele) tiempo\b|\bno (?:se )?(?:puedes?|podéis|pueden)\b|\btodo hay que decirlo\b`,
      cue`\b(?:como si|hubiera|hubiese|habría|habríamos|tendría que haber)\b`,
      cue`\b(?:no|ni) (?:hace|hará|hacía) falta\b|\bno (?:hay|tienes?|tenemos|tiene|tienen|tengo|tenéis|es|será) (?:que|necesari[oa])\b|\bno (?:necesitas?|necesitan|necesitamos)\b`,
      cue`\bsi (?:\p{L}+ ){0,3}?(?:\p{L}+[aeié]r?[aá](?:mos|s|n)|\p{L}+[aie](?:ra|ras|ran|ramos|se|ses|sen)|tuviera|pudiera|fuera)\b`,
      cue`\b(?:ojalá|tendría que haber|debería haber|deberíamos haber|habría que haber|había que|tenía que|teníamos que|tuve que|tuvimos que)\b`,
      cue`\b(?:mira|oye|fíjate|imagínate),? (?:qué|que|esto)\b|^(?:mira|oye|venga|anda)[.,!]?$|\b(?:vamos a ver|ya veremos|tengo que decir)\b|\bve(?:n|nga)? (?:a ver|ya)\b`,
      // Quoted speech.
      cue`\b(?:dice|dijo|decía|digo|dije|contesta|contestó|responde|respondió|suelta|soltó|grita|pregunta)(?: [^.,:?]{0,15})?: `,
      // Permissions.
      cue`\b(?:puedes?|pueden|podéis|se puede)\b[^?]*\bsi (?:lo |la |os |te |le )?(?:prefier|quier|dese|gust)\p{L}+|\btoca la lotería\b`,
      cue`\b(?:pid|ped)\p{L}+ (?:disculpas|perdón)\b`,
      // Agreement that names no task.
      cue`^(?:(?:sí|vale|claro|de acuerdo|sin problema|bueno|perfecto|muy bien|ok)[,.]? )?(?:yo |ya )?(?:lo |la |me |los )(?:encargo|ocupo|hago|apunto|haré|miro)(?: yo)?(?: de (?:eso|ello))?[.!]?$`,
      // Questions about an ability.
      cue`\b(?:puede[sn]?|podéis|podrías?)(?: usted)? (?:aparcar|ver (?!si|con)|vivir|creer|imaginar|comer|dormir|andar|oír)\p{L}*|¿me cobras?\b`,
    ],
    descriptions: [
      cue`\b(?:siempre|normalmente|generalmente|por lo general|habitualmente|a menudo|a veces|de vez en cuando|suel(?:o|es|e|emos|en)|(?:todos los|todas las|cada) (?:días?|semanas?|meses|mes|años?|mañanas?|tardes?|noches?|veces|vez|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|primaveras?|veranos?|otoños?|inviernos?|dos por tres)|los (?:lunes|martes|miércoles|jueves|viernes|sábados|domingos)|hoy en día|últimamente|(?:una|dos) ve(?:z|ces) (?:al|a la|por))\b`,
      cue`\b(?:dijo|dijeron|decía|decían|dice|dicen|comentó|comentaron|comenta|pidió|pidieron|pide|piden|contó|contaba|quiere|quieren|quería|querían|insistió|insiste|exige|exigen|cree|creen|creía|pensaba|pretende|pretenden|sugirió|aconsejó) (?:\p{L}+ )?que\b(?!.*\b(?:así que|y) (?:yo|le|les|nos|hay)\b)`,
      cue`\b(?:antes|en teoría|en mis tiempos|de pequeñ[oa]|iba a|íbamos a|iban a|tocaba|quizás?|igual|a lo mejor|tal vez|algún día|un día de estos|tarde o temprano|ya veremos|parece que|supuestamente)\b(?<!\bantes(?= de| del| que|,|\.| \p{L}+))`,
      cue`\b(?:nunca|jamás|no) (?:me |te |se |nos |os |le |les |lo |la )*(?:\p{L}+[aei]r(?:é|emos|ás|á|án)|voy a|vamos a|vas a|va a|van a)\b`,
      cue`\b(?:la gente|todo el mundo|los clientes|los niños|los alumnos|los vecinos|uno|cada uno|los demás) (?:siempre |ahora )?(?:tienen?|deben?|tendrán?) (?:que )?\p{L}+r${clitic}{0,2}\b`,
      cue`\b(?:tiene|tienen|tengo|tenemos|hay) que \p{L}+r${clitic}{0,2} (?:\p{L}+ ){0,3}(?:dos|tres|varias|muchas) veces\b|\bhay que (?:ver|decir|reconocer|tener|estar|ser|fastidiarse|joderse|aguantarse|echarle|tirar)\b`,
      cue`\b(?:te|le|os|les|nos|me) (?:va|van) a (?:encantar|gustar|costar|salir|tocar|sobrar|faltar|parecer|doler|venir|dar|quedar|subir|sentar)\b|\bse (?:va|van) a \p{L}+r|\b(?:va|van|vamos|voy) a (?:ser|estar|haber|costar|llover|tardar|salir (?:bien|mal|caro)|acabar|llegar tarde|necesitar|quedar|durar|poder|tener|perder|echar de menos|gustar|saber|creer|alucinar|reír)\p{L}*\b`,
      cue`\b(?:costar|tardar|llover|durar|saldr|llegar|subir|bajar|faltar|sobrar|bastar|cabr|pasar|encantar|gustar|parecer|cobrar|ganar|acabar|quedar|cerrar|abrir|empezar)(?:á|án)\b|\b(?:acostumbrar|recordar|olvidar|arrepentir|sobrevivir|aguantar|alegrar|imaginar|perder|tardar|llegar)(?:é|ás|emos|éis)\b`,
      cue`\b(?:quería|queríamos|me encantaría|nos encantaría) \p{L}+r\b|\byo que tú\b|\ben tu lugar\b`,
      cue`^(?:vale|bueno|sí|de acuerdo|perfecto|genial|claro|hecho|ok)?,? ?(?:así |eso |lo |ya |ya lo |así lo )*har(?:é|emos)(?: así)?[.!]?$`,
      // General rules, and opinions about what others should do.
      cue`\b(?:cuando|si) (?:te |se |lo |la )?(?!quieres|puedes)\p{L}+[ae]s? [^,]*, (?:tienes|debes|hay|se tiene) |\bpara (?:eso|esto|ello|\p{L}+[aei]r)\b[^,]*,? hay que\b`,
      cue`\b(?:creo|pienso|opino|parece) que (?:\p{L}+ )?(?:deberían|tendrían|tienen|deben|debería)\b|\b(?:supongo|imagino|sospecho|temo) que\b`,
      // Durations, distances, and reactions to events.
      cue`\bsi (?!nadie|alguien|no hay|me |nos |te |os |quier|pued|prefier|est[aá]s)[^,]+, (?:habrá|hay|tendremos|tenemos|\p{L}+[ae]mos)\b`,
      cue`\bdesde (?:el|la|los|las|hace|que)\b(?! (?:casa|mi|tu))|\bhay que [^.]*\b(?:minutos?|horas?|kilómetros?)\b|\bechar(?:é|emos|ás|á|án) de menos`,
      // Group plans, which are not to-dos.
      cue`${plan}`,
      cue`\best[ae] (?:máquina|aparato|puerta|caldera|programa) (?:hay que|tiene)\b`,
    ],
    immediate: [
      cue`\b(?:espera|espere|esperad|esperen|un momento|un segundo|un segundito|un minuto|dame un|dadme un|perdona|perdonad|a ver(?! si (?:puede|podéis)))[,.]? (?:que |ahora )?`,
      cue`\b(?:abr|cierr|cerr|encend|apag|sub|baj|enciend)(?:o|e|a|an|es|é|emos|ir|ar|er|id|ad)(?:me|la|lo|las|los)? (?:un poco )?(?:la|el|las|los|una|esa|ese) (?:ventanas?|puertas?|persianas?|cortinas?|luz|luces|aire|calefacción|micro|micrófono|volumen|música|cámara)\b(?!.*\b(?:antes|cuando|al (?:salir|irte|iros))\b)`,
      cue`\b(?:compart|enseñ|proyect|pon)\p{L}* (?:mi |la |en la |una? )(?:pantalla|diapositivas?|presentación)\b`,
      cue`(?<!\by (?:ya )?)\b(?:os|te|le|les) (?:lo |la |los |las )?(?:leo|enseño|cuento|explico|digo|muestro|pongo en situación|resumo|recuerdo|voy a (?:leer|enseñar|contar|explicar|decir|mostrar|resumir|poner|ser))\b`,
      cue`\b(?:voy a (?:por|ser|poner|leer|decir|hacer (?:un|una) (?:pregunta|pausa)|empezar|beber|tomar nota|coger|buscar (?:un|una) (?:silla|boli|vaso)))\b`,
      cue`\b(?:coge|coged|cojo|traigo|trae|pongo|pásame|pasadme|acércame|tráeme|ponme|sírve\p{L}*) (?:una?|el|la|los|las|otra|otro|más)? ?(?:sillas?|vasos?|café|agua|boli|bolígrafo|servilletas?|sal|azúcar|galletas?|té)\b`,
      cue`\b(?:siéntate|sentaos|siéntense|siéntese|pasad|pasen|entrad|entren|servíos|escuchad|mirad esto|mira esto|callaos|hablad|habla más|levanta la mano)\b`,
      cue`\b(?:vamos|pasamos|volvemos|seguimos|empezamos|toca|tenemos que|hay que|deberíamos|podemos|tengo que|quiero|quería|vuelvo) (?:a |con |por |al |que )?(?:a )?(?:hablar|empezar|comenzar|ver|pensar|hacer una? (?:pausa|descanso|ronda|repaso)|hacer el repaso|descansar|parar|pasar|seguir|volver|terminar|acabar|cerrar|decidir|ponernos|dejar|lo siguiente|siguiente|otro|eso|ello|ese|esto|discutir|centrarnos|recordar|reconocer|decir)\b`,
      cue`\b(?:empecemos|comencemos|pasemos|sigamos|volvamos|veamos|hablemos|terminemos|acabemos|descansemos|hagamos una|dejemos|dejémoslo)\b`,
      // Prompts to speak, and instructions typical of exams, lessons and calls.
      cue`\b(?:cuént|cuente|díg|dí|dig|expl[íi]qu|ens[eé]ñ|muéstr|repít|hábl|descríb)\p{L}*(?:me|nos)(?:lo|la)?\b|\b(?:puede[sn]?|podrías?|podéis)(?: usted)? (?:\p{L}+ )?(?:repetir|explicar|decir|describir|contar|aclarar|deletrear)(?:me|nos|lo|la)*\b`,
      cue`\b(?:la boca|la lengua|la rodilla|cuadernos?|la página|botón|la pantalla|no cuelgue|le (?:paso|pongo) con|ahora mismo|punto por punto|en el mapa)\b|\b(?:le|te|os) voy a (?:hacer|contar|explicar|enseñar)\b|\bvamos a (?:mirar|ver|leer)|\bte dejo (?:hablar|terminar)`,
      // Requests to the audience, and prohibitions.
      cue`\b(?:pon\p{L}* al día|la mano los|callad|rezar|aplauso)\b|\b(?:déjame|dejadme|déjeme|dejadnos) \p{L}+[aei]r(?:lo|la|me)?\b|^(?:adelante|ánimo)\b|\bno (?:me|te|os|se) (?!olvid|dej)\p{L}+(?:es|as|áis|éis|en|an)\b(?= \p{L}+[.!])`,
    ],
    unassigned: [
      // Duties of people and institutions outside the conversation.
      cue`^¿?${prefix}(?:su|sus|el|la|los|las) (?!(?:equipo|grupo|resto|que|de|otr[oa]s?|dos)\b)(?:\p{L}+ ){1,4}?(?:tienen? que|debe|deben|debería|deberían|tendrán? que) \p{L}+|\b(?:tienen?|deben?) (?:que )?\p{L}+ (?:ellos|ellas|él|ella)\b`,
      cue`\b(?:los|las) \p{L}+s (?:\p{L}+ )?(?:tendrán|tienen|deben|deberán|tendrían|deberían) |(?<!\byo )\b\p{L}{2,}(?:ar|er|ir|br|dr)emos\b`,
      cue`\b(?:habría que|haría falta|tendríamos que|deberíamos)\b`,
    ],
    withdrawn: [
      cue`^(?:(?:no|ah|oye|bueno|espera|perdona|gracias|que|pues|uy|${NAME})[,.]? )*(?:no hace falta|no te molestes|no se moleste|déjalo|déjelo|dejadlo|mejor no|que no|es broma|era broma|olvídalo|olvídelo|no es necesario|no,? gracias|ni se te ocurra|no lo hagas)(?=[.,!;]|$)`,
      // Already done, declined, or a joke.
      cue`^(?:(?:no|ah|oye|bueno|espera|gracias|pues|uy|pero|si|${NAME})[,.]? )*(?:si ya |ya (?:lo|la|los|las|está|le|les) (?:he|ha|han|hemos|hice|hizo|llam|mand|hech|pag|compr)\p{L}*|ya está (?:hech|pagad|pedid|arreglad)\p{L}+|muy gracios[oa]|ja,? ja|jaja|ni hablar|ni loc[oa]|ni de broma|de eso nada)\b`,
    ],
    who: [
      cue`^¿?${prefix}(?!Sí|No|Vale|Bueno|Bien|Pues|Claro|Hecho|Perfecto|Entonces|Gracias|Hola|Buenas|Buenos|Hoy|Mañana|Además|Luego|Listo|Profe)(?<who>(?:(?:don|doña|señora?|doctora?) )?${NAME}), `,
      cue`[,;:] (?<who>(?:(?:don|doña|señora?|doctora?) )?${NAME}), `,
      cue`, (?<who>(?:(?:don|doña|señora?|doctora?) )?${NAME})(?:, por favor)?[?.!]*$`,
      cue`\b(?!Quién|Qué|Yo|Tú|Él|Ella)(?<who>${NAME}) (?:se encarga|se encargará|se ocupa|va a|tiene que|debe|\p{L}+[aei]rá)\b`,
    ],
    when: [
      cue`\b(?<when>(?:antes de|después de|en cuanto|cuando|hasta que|una vez|tan pronto como|al) [^,.;?!]+?)(?:,|[.;?!]|$| y )`,
      cue`\b(?<when>luego|después|enseguida|cuanto antes|ahora mismo)\b`,
    ],
  },
  questions: {
    marked: true,
    interrogatives: cue`\b(?:qué|cuál(?:es)?|cuándo|dónde|adónde|quién(?:es)?|por qué|cuánt[oa]s?|cómo)\b`,
    answers: cue`^(?:(?:pues|bueno|ah|a ver|${NAME}),? )*(?:no|sí|claro|nadie|nada|yo no|yo sí|exacto|creo que (?:sí|no)|bien|perfecto|por supuesto|qué va|tampoco|genial)\b`,
    include: [
      cue`\b(?:quería|quisiera|me gustaría|queríamos) (?:saber|preguntar(?:le|te|les|os)?) (?:si|qué|cuál|cuándo|cuánto|cuántos|dónde|cómo|quién|a qué)`,
    ],
    exclude: [
      cue`¿ ?(?:cómo (?:estás?|están|estáis|te va|le va|va todo|vais|andas?|has estado|ha ido)|qué tal|todo bien|qué hay|cómo ha ido el viaje|se me (?:oye|escucha)|me (?:oís|oyes|escucháis|escuchan|escuchas|habéis seguido|siguen)|están (?:todos )?bien|estáis (?:todos )?bien)\b`,
      cue`¿ ?(?:y )?(?:quién (?:se fía|iba a|se cree|no (?:querría|quiere)|sabe|lo diría|diría|demonios|puede con)|qué le vamos a hacer|a quién se le ocurre|para qué nos vamos a engañar|quién en su sano juicio|quién me mandaría|qué más se puede pedir)`,
      cue`¿(?:no|verdad|eh|vale|sí|sabes|entiendes|de verdad|en serio|perdón|cómo|de acuerdo|me explico)\?`,
      cue`¿ ?(?:te|os|se) acuerdas?[^?]{0,4}\?$|¿ ?(?:desde cuándo|cuántas veces|de qué sirve|qué más da|tú te ves|te imaginas|te parece normal|quién no|a quién no|y a mí qué|qué es esto|cuándo no|dónde se ha visto)\b`,
      cue`\b(?:me (?:pregunto|preguntaba|dije)|pensé|pensaba)[,: ]`,
    ],
  },
  knowledge: {
    include: [
      cue`\b(?:se llaman?|se conocen? como|se denominan?|se definen? como|consisten? en|significan?|quiere decir|se entiende por|llamamos|equivale a|por definición|es decir)\b`,
      cue`^${prefix}(?:un|una|el|la|los|las) [^,.;?!]{2,60} (?:es|son) (?:un|una|el|la|los|las) (?:tipo|forma|método|proceso|conjunto|medida|manera|cantidad|parte|sistema|técnica|unidad|ley|teoría|periodo|capacidad|relación|número|rama|estudio)s? \p{L}+`,
      cue`\bla (?:diferencia entre|definición de)\b`,
    ],
  },
  needs: {
    include: [
      cue`\b(?:necesito|necesitamos|necesitan|necesita|quiero|queremos|quieren|quisiera|quisiéramos|requerimos|preferimos|prefiero|preferiría)\b`,
      cue`\b(?:me|nos|les|le) (?:gustaría|hace falta|hacen falta|harían falta|vendría bien|vendrían bien|falta|faltan|encantaría)\b`,
      cue`\b(?:busco|buscamos|estamos buscando|estoy buscando|ojalá|esperamos que|hacen falta)\b`,
    ],
    exclude: [
      cue`\bno (?:necesito|necesitamos|quiero|queremos|necesita|necesitan|hace falta|hacen falta|nos hace falta)\b`,
      cue`\bquiero decir\b`,
    ],
  },
  decisions: {
    include: [
      cue`\b(?:decidid[oa]|queda (?:así|claro que)|nos decantamos|lo dejamos en|damos por|sale adelante|votamos y|aprobad[oa])\b|^(?:aprobado|hecho|decidido),`,
      cue`\b(?:hemos|han|he) (?:decidido|acordado|quedado|aprobado|elegido|optado)\b|\b(?:decidimos|acordamos|aprobamos|quedamos en|quedamos a|elegimos|optamos)\b`,
      cue`\b(?:queda|quedan|está|están) (?:decidid|acordad|aprobad|fijad|confirmad|cerrad)[oa]s?\b|\b(?:entonces|pues) (?:quedamos|lo dejamos|nos quedamos con|vamos con|elegimos|hacemos)\b`,
      cue`\b(?:trato hecho|todos de acuerdo|se aprueba|la decisión es|nos quedamos con|aprobado por)\b`,
      cue`^${conclusion}(?:[^,.?]{0,20} )?(?:no )?(?:nos )?(?:${plan}|será )`,
      cue`\by punto\b|\basunto cerrado\b|\bes oficial\b|\bhemos votado\b|\btodos a favor\b|^adjudicado\b|\bdecidido\b`,
    ],
    exclude: [cue`\b(?:no|aún no|todavía no) (?:hemos|se ha|han|está|queda)\b`],
  },
  transitions: cue`^(?:(?:vale|bueno|bien|pues|venga|y|entonces|perfecto|muy bien|de acuerdo|ahora|estupendo|genial|a ver|gracias)[,.]? )*(?:(?:el |la |lo |un |una |y |otr[oa] |nos queda |queda )*(?:siguiente|segund[oa]|tercer[oa]?|cuart[oa]|últim[oa]|otr[oa]|próxim[oa]) ?(?:(?:punto|tema|asunto|cosa|cuestión|apartado|y último|lío|historia)\b|[,:])|(?:siguiente|último|última|segundo|tercero|por último|finalmente|otra cosa|más cosas|cambiando de tema|y ya por último)\b|(?:pasamos|pasemos|vamos|vayamos|sigamos|seguimos) (?:ahora |ya )?(?:a|al|con) |(?:en cuanto|respecto|con respecto|por lo que respecta) a|lo (?:siguiente|último|segundo|otro)|(?:ahora|luego|después) (?:el|la|los|las|lo de|viene|vamos|toca)|y (?:lo de|el tema de)|queda (?:el|la|lo)|hablemos de|sobre (?:el|la|los|las) )`,
  announcements: [
    cue`\bhoy (?:vamos a (?:hablar|tratar|ver|repasar)|hablamos|hablaremos|tratamos|veremos|toca hablar)(?: de| sobre)? (?<topic>[^.!?]+)`,
    cue`\b(?:llamo|le llamo|te llamo|los llamo) (?:por|para|porque|sobre) (?<topic>[^.!?]+)`,
    cue`^(?:esta es|esto es) una (?:nota|grabación) (?:de|sobre|para) (?<topic>[^.!?]+)`,
  ],
  numbers: {
    words: {
      cero: 0,
      'un[oa]?': 1,
      ...enumerateWords(
        'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince',
        2,
      ),
      ...enumerateWords(
        'dieciséis diecisiete dieciocho diecinueve veinte veinti(?:uno|una|ún) veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
        16,
      ),
      ...enumerateWords('treinta cuarenta cincuenta sesenta setenta ochenta noventa', 30, 10),
      'cien(?:to)?': 100,
      ...enumerateWords(
        'doscient[oa]s trescient[oa]s cuatrocient[oa]s quinient[oa]s seiscient[oa]s setecient[oa]s ochocient[oa]s novecient[oa]s',
        200,
        100,
      ),
      medio: 0.5,
    },
    multipliers: { mil: 1000, 'mill[oó]n(?:es)?': 1e6 },
    separator: '(?: y | )',
    vague:
      '(?:(?:unos |varios |algunos )?(?:cientos|miles|millones)|unos cuantos (?:cientos|miles)|un par de (?:cientos|miles))',
  },
  money: {
    currencies: [
      { word: 'euros?', code: 'EUR' },
      { word: 'dólares|dólar', code: 'USD' },
      { word: 'pesos? mexicanos?', code: 'MXN' },
      { word: 'pesos? argentinos?', code: 'ARS' },
      { word: 'pesos? colombianos?', code: 'COP' },
      { word: 'pesos? chilenos?', code: 'CLP' },
      { word: 'pesos? uruguayos?', code: 'UYU' },
      {
        word: 'pesos?',
        code: null,
        places: {
          MXN: String.raw`\b(?:m[ée]xic\p{L}*|guadalajara|monterrey|puebla|oaxaca|cancún|tijuana|querétaro|veracruz|coyoacán|chiapas|yucatán|mérida|zapopan|toluca|cdmx)\b`,
          ARS: String.raw`\b(?:argentin\p{L}*|buenos aires|córdoba|rosario|mendoza|palermo|afip)\b`,
          COP: String.raw`\b(?:colombi\p{L}*|bogotá|medellín|cali|barranquilla|cartagena)\b`,
          CLP: String.raw`\b(?:chilen\p{L}*|chile|santiago|valparaíso|concepción)\b`,
          UYU: String.raw`\b(?:urugua\p{L}*|montevideo)\b`,
        },
      },
      { word: 'soles', code: 'PEN' },
      { word: 'bolívares', code: 'VES' },
      { word: 'quetzales', code: 'GTQ' },
      { word: 'guaraníes', code: 'PYG' },
      { word: 'bolivianos', code: 'BOB' },
      { word: 'libras', code: 'GBP' },
    ],
    signs: { '\\$': null },
    connector: '(?: de )',
    withoutCurrency: [
      String.raw`\b(?:cuestan?|costó|costaron|costará|pagué|pagamos|pagaron|cobran?|cobró|cobraron|vale|valen|valía|sale a|salen a|sale por|por solo|gasté|gastamos|piden|ofrecen) (?:unos |unas |casi |solo |sólo |alrededor de |cerca de )?{n}\b(?=[,.;?!]|$| (?:cada|por|al mes|a la|y|pero|en total))(?![,.]\d)`,
    ],
    bare: {
      subject: String.raw`\b(?:cuest\p{L}+|cost\p{L}+|preci\p{L}+|pag[aou]\p{L}*|presupuesto\p{L}*|alquiler|cuotas?|factur\p{L}+|fianza|sueldo|salario|cobr\p{L}+|gast\p{L}+|deb\p{L}+ dinero|dinero|barat\p{L}+|car[oa]s?|descuento|gan\p{L}+|subvenci\p{L}+|vend\p{L}+|compr\p{L}+|vale\p{L}*|tarifa\p{L}*|ahorr\p{L}+|recaud\p{L}+)\b`,
      next: String.raw` (?:por|cada|al|a|y|o|pero|si|es|era|en|de|más|menos|con|para|que|como|todo|todos|ya|ahora|antes|netos|brutos|mensuales|justos|largos)\b`,
      labels: String.raw`\b(?:por(?= ?ciento)|sala|aula|número|página|piso|puerta|línea|versión|paso|capítulo|ruta|calle|habitación|desde|hasta|en|artículo)`,
    },
    purposes: [
      cue`\b(?:para|por|en concepto de) (?<purpose>(?!cabeza|persona|cien|favor|eso|ello|\d|cada|niñ|mes|noche|casa\b)(?:el |la |los |las |un |una |mi |su |nuestr[oa] )?[^,.;?!]+?)(?=[,.;?!]|$| (?:y|pero|si|porque|que|en|antes|a|el|este)\b)`,
      cue`\b(?<purpose>(?:el|la|los|las|mi|tu|su|un|una|nuestr[oa]) (?:\p{L}+ ){0,3}?\p{L}+) (?:cuestan?|costó|costará|costaba|vale|valen|son|es|sale|salen|sería|serían|asciende|invierte)\b`,
      cue`\b(?:gast(?:é|amos|aron|ó|ar)|invert(?:ir|imos)) [^.;?!]{0,30}\ben (?<purpose>[^,.;?!]+?)(?=[,.;?!]|$| y\b)`,
    ],
  },
  dates: {
    months:
      'enero febrero marzo abril mayo junio julio agosto sep?tiembre octubre noviembre diciembre'.split(
        ' ',
      ),
    weekdays: 'domingo lunes martes miércoles jueves viernes sábado'.split(' '),
    relative: [
      ['hoy', 0],
      ['esta (?:tarde|noche|mañana)', 0],
      ['mañana', 1],
      ['pasado mañana', 2],
      ['ayer', -1],
      ['anoche', -1],
      ['anteayer|antes de ayer|antier', -2],
      ['(?:la |el )?(?:próxim[oa]|pasad[oa]) (?:semana|mes|fin de semana)', null],
      [
        '(?:la|el) (?:semana|mes|fin de semana) (?:que viene|pasad[oa]|próxim[oa]|siguiente|que entra|anterior)',
        null,
      ],
      ['est[ea] (?:semana|mes|fin de semana)', null],
      ['(?:a )?(?:finales|principios|mediados) de (?:mes|semana)', null],
      ['(?:el )?fin de semana', null],
      ['nochebuena', null],
      ['navidad', null],
      ['nochevieja', null],
      ['(?:el día de )?reyes', null],
    ],
    ordinals: { 'primero|1º|1\\.º': 1 },
    words: {
      next: 'que viene|próximo|siguiente',
      last: 'pasado|último',
      this: 'este|este mismo',
      'week+1': '(?:de )?(?:la semana que viene|la próxima semana|la semana próxima)',
      'week-1': '(?:de )?la semana pasada',
      'week+0': '(?:de )?esta semana',
      hour: String.raw`[012]?\d|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce`,
      days: 'días?',
      weeks: 'semanas?',
      months: 'mes(?:es)?',
      ahead: 'dentro de|en',
      ago: 'hace',
    },
    forms: [
      String.raw`\b(?:el )?(?:día )?(?:{day}|{ordinal}) de {month}\b(?: (?:de|del) {year}\b)?`,
      String.raw`\b(?:el )?día {day}\b(?!,\d| (?:de (?!este)|por ciento|euros|personas))`,
      String.raw`(?<=\b(?:hasta|para|desde|antes d|sobre|es|ser) )el (?<day>[0-3]?\d)(?=[,.;?!]|$| (?:a|por|y|de este)\b)`,
      String.raw`\bel (?<day>[0-3]?\d)(?=[,.;?!]|$| (?:a las|por la|de este mes)\b)`,
      String.raw`\b{relative}\b`,
      String.raw`\b(?:el |los )?(?:{this} |{next} |{last} )?{weekday}\b`,
      String.raw`\b(?:el )?{weekday} (?:{next}|{last})\b`,
      String.raw`\b(?:el )?{weekday} (?:{week+1}|{week-1}|{week+0})\b`,
      String.raw`\b(?:(?:a )?(?:finales|principios|mediados|final|fines) de |el pasado |el próximo |este )?{month}\b(?: (?:pasado|próximo|que viene)\b)?`,
      String.raw`\b{ahead} {n} (?:{days}|{weeks}|{months})\b`,
      String.raw`\b{ago} {n} (?:{days}|{weeks}|{months})\b`,
      String.raw`\b(?:a |hacia |sobre )?las? {hour}(?::\d\d)?(?: y (?:media|cuarto|pico|diez|veinte|cinco|veinticinco)| menos (?:cuarto|diez|veinte|cinco|veinticinco))? (?:de la (?:mañana|tarde|noche|madrugada)|en punto)\b`,
      String.raw`\ba las? {hour}(?::\d\d)?(?: y (?:media|cuarto|pico|diez|veinte|cinco|veinticinco)| menos (?:cuarto|diez|veinte|cinco|veinticinco))?\b(?! (?:por ciento|personas|familias|\p{L}+as\b))`,
      String.raw`(?<=\b(?:sobre|hacia|hasta|desde|antes de|para|son) )las? {hour}(?::\d\d)?(?: y (?:media|cuarto))?(?=[,.;?!]|$| (?:de la|y|en)\b)`,
      String.raw`\b(?:al )?mediodía\b`,
      String.raw`\b[012]?\d(?::[0-5]\d)? ?(?:h|horas)\b(?! (?:de|por|al|a la))(?<=:\d\d ?(?:h|horas))`,
    ],
    parts: [String.raw`\b(?:por|de|en) la (?:mañana|tarde|noche)\b`],
    exclusions: [
      String.raw`\b(?:todos los|todas las|cada|los|l[ao]s) (?:{weekday}s?|días|semanas|mañanas|tardes|noches|meses|mes|semana|día|mañana|tarde|noche|sábados|domingos)\b`,
      String.raw`\b(?:buenos días|buenas tardes|buenas noches|hoy en día|al día)\b`,
      String.raw`\b(?:feliz )navidad\b`,
    ],
    separator: ',? ?(?:(?:a|hacia|sobre|por|de|en|hasta) )*',
    pastTense: cue`\b(?:era|fue|fueron|estuvo|estuve|había|hubo|terminó|empezó|cerró|se cerró|llegó|hizo|dijo|hicimos|\p{L}+(?:aron|ieron|amos ayer))\b`,
  },
};
