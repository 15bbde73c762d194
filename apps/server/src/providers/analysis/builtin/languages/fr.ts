import { alternation, cue, enumerateWords, type LanguageData, NAME } from './data.ts';

const prefix =
  "(?:(?:et|alors|donc|bon|bien|ben|oui|non|ok|d'accord|entendu|parfait|très bien|puis|ensuite|après|aussi|également|enfin|maintenant|mais|ah|tiens|écoute|écoutez|justement|voilà|merci|super|demain|aujourd'hui|de mon côté|pour ma part|d'abord|sinon|par contre|en attendant|s'il te plaît|s'il vous plaît|au fait|bonne idée)[, ]+)*";
const personName = String.raw`(?:(?:monsieur|madame|mademoiselle|docteur|maître|m\.|mme) )?${NAME}`;
/** Stems of action verbs in -er. Their imperatives end in -e ("tu") and -ez ("vous"). */
const stems = alternation(`
  achèt achet ajout amèn amen annonc annul appell appel apport arrang arros assur avanc cherch command complèt complét compt confirm contact coll communiqu consult contrôl corrig
  découp dépos demand dessin donn dress emmèn emmen emport envoi envoy emball essay établi étudi évalu explor expliqu factur ferm gard gliss imprim indiqu inscriv install invit jet laiss lanc lav list livr log mesur montr
  négoci nettoi nettoy not oubli organis paramètr parl partag pass pai pay pens plac planifi port pos poursuiv prépar présent prévien prévoi prévoy propos publi ramen ramèn rang rappell rappel rapport réalis récupèr récupér regard regroup relanc
  remerci remont rempl remplac rencontr renseign renvoi renvoy répar repass repér réserv rest retir retourn retrouv signal sign sollicit sort stock téléphon termin tir touch travaill trouv vend vérifi vérifier vers vid visit`);
const command = `(?:${stems}(?:e|ez|es)|${alternation('fais faites prends prenez mets mettez dis dites écris écrivez envoie viens venez va allez lis lisez relis relisez voyez vois tiens tenez rends rendez reprends reprenez répondez réponds descends descendez remplis remplissez finis finissez choisis choisissez préviens prévenez transmets transmettez pensez pense inscris inscrivez remets remettez rejoins rejoignez soumets soumettez sors sortez reviens revenez joins joignez ouvre ouvrez offre offrez')})(?:-(?:moi|nous|lui|leur|le|la|les|toi|vous|en|y))*`;
const future = String.raw`(?!(?:ser|aur|pourr|voudr|saur|devr|verr|croir|souhaiter|aimer|dir)(?:ai|ons)\b)(?:\p{L}{2,}r|ir)(?:ai|ons)`;
/** Imperatives that only manage the conversation. */
const politePhrases =
  "(?:dis|dites|excuse|excusez|attend|attendez|voyez|voyons|écoute|tenez|tiens|imaginez|imagine|allez|pardonnez|asseyez|assieds|entrez|rassurez|rassure|vas-y|croyez|crois-moi|regardez ça|figure|expliquez|explique|racontez|raconte|parlez|parle|n'|taisez|rappelez-moi (?:qui|quand|comment|combien|ce)|rappelle-moi (?:qui|quand|comment|combien|ce)|permettez)";
const firstPersonVerb = alternation(
  String.raw`appelle parle viens envoie passe prends fais apporte prépare m'occupe m'en\soccupe me\scharge m'en\scharge contacte vérifie demande écris réserve commande imprime relance préviens transmets mets regarde achète termine rédige signe téléphone amène ramène cherche récupère organise confirme règle paie dépose corrige poste lance renvoie rappelle finis note partage`,
);
const timeAdverb =
  "(?:demain|ce soir|cet après-midi|tout à l'heure|cette semaine|la semaine prochaine|ce week-end|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|dès|avant|d'ici|aujourd'hui|après)";
/** Group plans, which are not to-dos. */
const plan = String.raw`\bon (?:se |ne |n'|la |le |les |l')*(?:laisse|gard|abandonn|supprim|annul|déplac|report|décal|partage (?!les (?:coups|tâches|appels))|commenc(?!\p{L}* par)|ouvr|ferme|réuni|retrouvera|renouvell|enlèv|maint|fait sans|fera sans)\p{L}*\b`;
/** Words that introduce a conclusion. */
const conclusion =
  "(?:(?:bon|alors|donc|d'accord|très bien|parfait|allez|ok|bien|tant pis|voilà)[, ]+)+";

export const fr: LanguageData = {
  todos: {
    requests: [
      cue`\b(?:pouvez|pourriez|voulez|voudriez)-vous (?:me |nous |lui |leur |aussi |bien |s'il vous plaît |la |le |les )*\p{L}+(?:er|ir|re|oir)\b`,
      cue`\b(?:tu|vous|quelqu'un) (?:peux|pourrais|veux|voulez|pouvez|pourriez|peut|pourrait|veut)(?: bien)? (?:me |nous |lui |leur |aussi |la |le |les |t'en |vous en |t'|vous )*\p{L}+(?:er|ir|re|oir)\b(?=.*(?:\?|s'il (?:te|vous) pla))`,
      cue`\b(?:tu|vous) (?:me |nous |te |t'en |vous en |t'|vous |lui |leur |la |le |les |l'|t'occupe|peux )+(?!souvien|sen|moqu|dout|crois|entend|compren|sui|dis|dit|expli|rappel\p{L}+ (?:qui|quand|comment))\p{L}+(?:es|ez|s)\b[^.!]*\?`,
      cue`\b(?:tu|vous) (?:vois (?:avec|si|pour)|voyez (?:avec|si|pour)|regardes? si|regardez si|demandes?|demandez|appelles?|appelez|prends|prenez|gardes?|envoies?|envoyez|apportes?|apportez|passes? (?:chez|à|au|voir)|réserves?|réservez|vérifies?|vérifiez|préviens|prévenez|ramènes|achètes?|achetez|notes?|notez)\b[^.!]*\?`,
      cue`^${prefix}(?:demandons|appelons|prévenons|réservons|achetons|écrivons|contactons|envoyons|préparons|cherchons)\b`,
      cue`\bmerci (?:de |d')(?:ne pas |bien vouloir |me |nous |lui |leur |les |le |la |l')*(?!être|avoir)\p{L}+(?:er|ir|re|oir)\b`,
      cue`^${prefix}(?:qu'|que )(?:l'un|l'une|quelqu'un|un|une)(?: de| d'entre)?(?: vous| nous)? \p{L}+e\b`,
      cue`^${prefix}(?!Oui|Non|Bon|Bien|Alors|Donc|Voilà|Ah|Oh|Merci)${personName}, (?:s'il (?:te|vous) plaît,? )?(?!(?:elle|notre|votre|entre|comme|contre|encore|même|quelle|une|cette|autre|toute|quatre|reste|je|que|ce|de|mille|chaque|pauvre|notre|entre|presque|autre)\b)\p{L}{3,}e (?:la|le|les|l'|un|une|des|du|ton|ta|tes|votre|vos|mon|ma|mes|notre|nos|au|aux|à|avec|ça|ce|cette)\b`,
    ],
    include: [
      cue`^${prefix}(?:${personName}, )?(?:s'il (?:te|vous) plaît,? )?(?:n'oublie[zs]? pas|${command})(?: |,|\.)(?!pas (?:la peine|besoin))`,
      cue`[,;:] (?:${personName}, )(?:s'il (?:te|vous) plaît,? )?${command}(?: |,|\.|$)`,
      cue`\b(?:n'oublie[zs]? pas|assure-toi|assurez-vous|veille[zs]? à|pensez à|pense à)\b`,
      cue`\b(?:je|j'|nous) ?(?:le |la |les |l'|lui |leur |vous |te |t'|me |m'|nous |en |y )*${future}\b`,
      cue`\b(?:je vais|nous allons|on va|tu vas|vous allez) (?:le |la |les |l'|lui |leur |vous |te |t'|me |m'|nous |en |y |aussi |donc |d'abord )*(?!être|avoir|voir|dire|parler|commencer|mourir|essayer|y aller|pouvoir|devoir)\p{L}+(?:er|ir|re|oir)\b`,
      cue`\b(?:je|j'|on) ?(?:le |la |les |l'|lui |leur |vous |te |t'|me |m'|nous |en |y )*${firstPersonVerb}\b.*\b${timeAdverb}\b`,
      cue`\b${timeAdverb}[^.?!]{0,30}?,? (?:je |j')(?:le |la |les |l'|lui |leur |vous |te |t'|m'en )*${firstPersonVerb}\b`,
      cue`\bje (?:m'en |me |m')(?:occupe|charge)\b|\bje m'engage\b|\bje me propose\b`,
      cue`\b(?:il faut|il faudra|il faudrait|il reste à|on doit|nous devons|je dois|tu dois|vous devez|vous devrez|tu devras|on devra) (?:le |la |les |l'|lui |leur |nous |vous |en |y |aussi |encore |absolument |d'abord )*(?:qu|(?!être|avoir|voir|dire|savoir|reconnaître|admettre|avouer|compter)\p{L}+(?:er|ir|re|oir)\b)`,
      cue`^${prefix}(?!(?:Qui|Que|Quand|Où|Il|Elle|On|Ça|Ce|Cela|Tout|Rien|Cette|Le|La|Les|Un|Une)\b)${NAME} (?:va|doit|devra|se charge|s'occupe|s'occupera|se chargera|(?!sera\b|aura\b)\p{L}+era) `,
      cue`^${prefix}(?:je |j')(?:le |la |les |l'|lui |leur |vous |te |t')*(?:appelle|envoie|apporte|contacte|vérifie|demande|réserve|commande|relance|préviens|transmets|achète|rédige|téléphone|ramène|récupère|organise|confirme|règle|dépose|corrige|poste|renvoie|rappelle|imprime) (?:la|le|les|l'|un|une|des|du|à|au|aux|ça|mon|ma|mes|notre|nos)(?: |(?<='))(?!.*\?)`,
      cue`(?:^${prefix}|, (?:et )?)(?:toi,? |vous,? )?(?:tu |vous )(?:me |nous |lui |leur |t'en |vous en )*(?!(?:as|es|sais|peux|veux|vois|crois|penses|dis|dois|viens|vas|connais|aimes|êtes|avez|savez|pouvez|voulez|voyez|croyez|pensez|dites|devez|venez|allez)\b)\p{L}{3,}(?:es|ds|ez) (?:le|la|les|l'|un|une|des|du|à|au|aux|chez|avec|ton|ta|tes|votre|vos)(?: |(?<='))(?!.*\?)`,
      cue`\b(?:et moi|toi et moi|nous deux),? (?:on|nous) (?!(?:est|a|va|sommes|avons|pense|aime|croit|sait|habite|était)\b)(?:s'|se |le |la |les |l')?\p{L}{3,}`,
      cue`^(?!Si |Quand |Comme )[^,.?!]{3,30}, (?:moi,? )?je (?:le|la|les|l'|m'en|m'y) ?(?!(?:vois|sais|connais|trouve|aime|crois|dis|veux|peux|ai|adore|déteste|comprends|suis|sens|pense|jure|passerais|avais)\b)\p{L}{3,}\b`,
      cue`(?:^${prefix}(?:${personName}, )?|[,;:] (?:${personName}, )?(?:et )?)(?!${politePhrases}|est-|c'est|y a-t|peut-|vas-y|allez-y|allons)\p{L}{2,}-(?:moi|lui|leur|le|la|les|nous|en|toi)(?:-(?:le|la|les|moi|lui|leur))?(?![\p{L}-])`,
      cue`\b(?:je|j') ?(?:le |la |les |l'|lui |leur |vous |te |t'|m'|me |nous |en |y )*(?!suis|pense|crois|sais|dis|trouve|vois|peux|veux|dois|connais|comprends|aime|préfère|souhaite|espère|ne|n'|ai|étais|avais|voulais|pensais|croyais|cherche|dor|travaille|habite|mange|reste|vi[st])\p{L}{3,}(?:e|s)\b(?<!ais|mes|urs) [^?]*\b(?:demain|ce soir|cet après-midi|tout à l'heure|cette semaine|la semaine prochaine|ce week-end|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|d'ici|dès que)\b`,
      cue`\bje (?:vous|te|t'|lui|leur|les|l') ?(?:le |la |les |l'|en )?(?!remercie|demande|oublie|regrette|déteste|attends|laisse|plains|passe|achète plus|reconnais|revois|garde|offre|appelle (?:toujours|souvent|[«"])|écoute|entends|assure|explique|propose|dis|crois|comprends|félicite|souhaite|conseille|suis|ai|avais|promets|jure|garanti|fais confiance|échange contre|imagine|signale|confirme|vois|connais|trouve|adore|aime)\p{L}{3,}(?:e|s)\b(?<!ais)`,
      cue`\bmoi,? (?:je |j')(?:le |la |les |l'|lui |leur |vous |te |t'|m'|en |y )*(?!mange|boi|dor|habite|travaille|vi[st]|suis|pense|crois|sais|dis|trouve|vois|peux|veux|dois|connais|aime|préfère|ai\b|étais|avais|ne\b|n')\p{L}{3,}(?:e|s)\b(?<!ais)`,
      cue`\b(?:doi(?:t|vent)|devra|devront|devrait|devraient|devrais|devrions|devriez|faudra|faudrait|faut|reste à) (?:donc |aussi |encore |bien |absolument |d'abord |vraiment |que |qu'on |le |la |les |l'|lui |leur |nous |vous |en |y |s'|se |me |te )*(?!être |avoir|voir |dire |savoir|reconnaître|admettre|avouer|compter)\p{L}+(?:er|ir|re|oir)\b`,
      cue`\b(?:tu|vous) (?:me |m'|nous |lui |leur |le |la |les |l'|t'en |vous en |vous |t')*(?!serez|aurez|pourrez|verrez|auras|seras|verras|pourras|saurez)\p{L}{2,}(?:ras|rez)\b`,
    ],
    exclude: [
      cue`\b(?:mettez-vous|mets-toi) à |\blaiss\p{L}+-\p{L}+ (?:le|du|un peu de) temps\b`,
      cue`\b(?:n'(?:est|était) pas (?:à|la peine)|pas besoin|ne (?:faut|faudra) pas (?:que|de)|(?:aurions|aurait|aurais|auraient) (?:pu|dû|fallu))\b`,
      cue`\b(?:inutile|pas (?:la peine|besoin|nécessaire|obligé|utile)|n'(?:avez|as|aurez|ai|avons) (?:plus |pas )?(?:rien |besoin |à )|plus (?:rien|besoin)|rien à (?:faire|signaler|signer|payer))\b`,
      cue`(?<!\b(?:demand\p{L}+|savoir|voir|vérifi\p{L}+|regard\p{L}+)(?: [^.,?!]{1,25})? )\bsi [^,.?!]{1,40}?\p{L}+(?:ait|aient|ais|ions|iez)\b|\bs'il(?:s)? \p{L}+ait\b|\bs'il(?:s)? (?:\p{L}+ )?\p{L}+aient\b`,
      cue`\b(?:aurait dû|aurais dû|aurions dû|aurait fallu|il fallait|devait|devions)\b`,
      cue`\bje (?:dirai|dirais|dois (?:dire|avouer))\b|^(?:tiens|écoutez|écoute|voyons|allez|attends|attendez|pensez)[,.!]? ?(?:[^ ]{0,3})?$|\b(?:on verra|nous verrons|on va voir)\b|^allez[,!]`,
      cue`\bn'oublierai (?:jamais|pas)\b`,
      // Quoted speech.
      cue`\b(?:dit|dis|disait|disais|répond|répète|répétait|écrit|lance|crie|explique|annonce)(?: [^.,:?!]{0,20})? ?: `,
      // Permissions.
      cue`\b(?:tu peux|vous pouvez|on peut)\b[^?]*\bsi (?:tu|vous|on) (?:\p{L}+ )?(?:veux|voulez|veut|préfère)|\bpeux me croire|\bpouvez me croire|\bgagn\p{L}+ au loto\b`,
      // Agreement that names no task.
      cue`^(?:(?:oui|ok|d'accord|bien sûr|pas de (?:souci|problème)|entendu|ça marche|volontiers|très bien|bon)[,.]? )?(?:moi,? )?je (?:m'en|le|la|les) (?:occupe|charge|fais|ferai|occuperai|chargerai|note)[.!]?$`,
      // Questions about an ability.
      cue`\b(?:peux|pouvez|pourrais|pourriez)(?:-(?:tu|vous))? (?:te garer|vous garer|voir (?!avec|si|pour)|vivre|croire|imaginer|manger|dormir|entendre)\b|\brends compte\b|\bme recevez\b|\bprenez la carte\b`,
    ],
    descriptions: [
      cue`\b(?:toujours|d'habitude|habituellement|normalement|généralement|en général|souvent|parfois|de temps en temps|(?:tous les|toutes les|chaque) (?:\p{L}+ )?(?:jours?|semaines?|mois|ans?|années?|matins?|soirs?|fois|printemps|étés?|automnes?|hivers?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?|week-ends?)|de nos jours|aujourd'hui les gens|(?:une|deux|trois) fois par)\b(?<!\btoujours(?= (?:pas|à|rien)))`,
      cue`\b(?:dit|disait|disaient|disent|a dit|ont dit|raconte|prétend|prétendent|demande|demandent|a demandé|ont demandé|veut|veulent|voulait|voulaient|exige|exigent|affirme|pense|pensait|croit|croyait|paraît|insiste|conseille|a conseillé|a proposé)(?: tous)? (?:qu'|que |de |d')(?!.*\b(?:donc|alors|du coup|et) (?:je|on|nous) )(?<!\b(?:je|tu|vous|on te|on vous) (?:\p{L}+ )?(?:demande|dit|dis|veut|pense|conseille) (?:qu'|que |de |d'))`,
      cue`\b(?:un jour|un de ces jours|tôt ou tard|peut-être|en théorie|à l'époque|autrefois|avant,? on|j'allais|on allait|il allait|il semble|à ta place|à votre place|à sa place|j'ai dû|on a dû|elle a dû|il a dû|j'ai failli)\b`,
      cue`\bne? ?(?:\p{L}+['’ ])?(?:\p{L}+ )?\p{L}+(?:ai|as|a|ons|ez|ont) (?:jamais|plus|pas)\b(?<!n'oubliez pas)|\b(?:ne|n') ?(?:vais|va|allons|vas|allez|vont) (?:pas|plus|jamais)\b`,
      cue`\b(?:les gens|tout le monde|les clients|les enfants|les élèves|les voisins|chacun|ils|elles) (?:doivent|doit|devront|ont à)\b`,
      cue`\bil faut \p{L}+r (?:\p{L}+ ){1,3}(?:deux|trois|plusieurs|dix) fois\b|\bil faut (?:bien |dire|avouer|croire|reconnaître|compter|voir|un |une |du |de la |au moins)`,
      cue`\b(?:va|vas|vont|vais|allez|allons) (?:\p{L}+ )?(?:adorer|aimer|détester|plaire|coûter|durer|prendre|pleuvoir|arriver|rester|finir|devenir|manquer|tomber|regretter|mourir|falloir|croire|rire|pleurer|geler|s'ennuyer|se régaler)\b`,
      cue`(?<!\b(?:je|j'|je le|je la|j'y) ?)\b(?:coûter|prendr|durer|restera|plaira|suffir|manquer|tomber|regretter|souviendr|habituer|oublier|survivr|arriver|fermer|augmenter|mourr|croir|viendr|finir|passer|marcher|changer)(?:ai|as|a|ons|ez|ont)\b(?= (?:au moins|un|une|bien|jamais|pas|plus|longtemps|à|le|la|tout)\b|[,.])(?!.*\b(?:demain|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b)`,
      cue`\b(?:doi(?:t|vent)|faut) (?:\p{L}+ ){1,5}(?:deux|trois|plusieurs) fois\b`,
      cue`\bje (?:te|vous) (?:le )?(?:dis|jure|assure|raconte|cache)\b`,
      cue`\b(?:la banque|le propriétaire|la mairie|l'état|le train|le magasin|le chauffage|la salle) (?:\p{L}+ )?\p{L}+ra\b`,
      // General rules, and opinions about what others should do.
      cue`\b(?:quand|si) (?:tu|on|vous|je) [^,]+, (?:tu|on|vous|je) (?:dois|doit|devez|préfère)|\bsi (?:je|tu|on|vous) (?:dois|doit|devez) `,
      cue`\b(?:crois|pense|trouve|suppose|imagine|avis|impression) qu(?:e |')(?:il faut|il faudrait|ils?|elles?|la|le|les|ça) ?(?:faut|faudrait|\p{L}+ )?`,
      cue`\bon fera (?:avec|sans|comme)\b`,
      // Reactions to events, durations and distances.
      cue`\bsi (?!personne|quelqu|tu |vous |je |on |j'|possible|besoin|ça )[^,]+, (?:on|nous|il) `,
      cue`\bdepuis\b|\bil faut [^.]*\b(?:minutes?|heures?|kilomètres?|jours)(?: |\.)(?!avant)|\b(?:ils?|elles?) (?:doit|doivent|devra|devront|devrait|devraient)\b`,
      cue`\breste (?:la question|le problème|le sujet|le point)|^tiens[,.]|\b(?:auras|aurez|verras|verrez) (?:le|la|les|une?|des|bien|que)\b`,
      // Group plans, which are not to-dos.
      cue`${plan}`,
      cue`\b(?:cette machine|cet appareil|cette porte|ce logiciel|cette chaudière),? (?:il faut|doit)\b`,
    ],
    immediate: [
      cue`\b(?:attends|attendez|une seconde|un instant|une minute|deux secondes|minute|patience)\b(?!.*\bdemain\b)`,
      cue`\b(?:ouvr|ferm|baiss|allum|étein|mont|coup|remont)\p{L}* (?:un peu |donc )?(?:la|le|les|une|cette|ce) (?:petite )?(?:fenêtres?|portes?|volets?|stores?|rideaux?|lumières?|chauffage|micro|son|volume|musique|caméra|clim)\b(?!.*\b(?:avant|quand|en partant|après)\b)`,
      cue`\b(?:partag|affich|projett?|montr)\p{L}* (?:mon |l'|votre |ton |les |la )?(?:écran|diapos?|présentation)\b`,
      cue`\bje (?:vais )?(?:vous |te )(?:le |la |les )?(?:lis|lire|montre|montrer|explique|expliquer|raconte|raconter|résume|résumer|dis|dire|rappelle (?:que|qu')|présente|présenter)\b`,
      cue`\b(?:je|j'|on) ?(?:vais |va )?(?:prend(?:s|re)|attrape|apporte|cherche|chercher|sers|servir|passe-moi|passez-moi) (?:moi |nous |vous )?(?:une?|le|la|du|de l'|des|l') ?(?:chaises?|café|thé|eau|stylo|verre|serviettes?|sel|sucre|gâteaux?)\b(?!.*\b(?:en passant|pour (?:la|le|samedi))\b)`,
      cue`\b(?:asseyez|assieds|entrez|installez|servez|sers-toi|regarde ça|regardez|taisez|levez|parle plus|parlez plus|écoutez|passez-moi|passe-moi|poussez-vous)\b`,
      cue`\b(?:on va|on peut|nous allons|il faut|il faudrait|on doit|on devrait|nous devons|je vais|je voudrais|j'aimerais) (?:donc |d'abord |maintenant |bien |juste |qu'on |que nous |un peu |en |y )*(?:parle|parler|parlions|discute|discuter|commence|commencer|faire (?:une )?(?:petite )?pause|faire le (?:point|tour)|passer|revenir|reprendre|continuer|arrêter|finir|terminer|voir|réfléchir|décider|dire|ajouter|rappeler que|être|essayer d'être|se concentrer|avancer)\b`,
      cue`\b(?:commençons|passons|revenons|continuons|parlons|voyons|arrêtons|finissons|reprenons|avançons|terminons|j'y (?:reviens|reviendrai)|on y revient)\b`,
      cue`\b(?:donne|donnez|passe|passez|prends|prenez|reprends|reprenez|sers|servez|tends|goûte|goûtez|mange|mangez)(?:-\p{L}+)* (?:encore |donc )?(?:un|une|ton|ta|votre|le|la|les|du|des|de|l')(?: ?(?:autre|petit|peu|morceau|part|tasse|verre)(?: de| d')?)* ?(?:gâteaux?|chaises?|verres?|cafés?|thé|eau|sel|sucre|pain|vin|biscuits?|stylo|fromage|place|beurre|assiettes?|tarte|fruits?|chocolats?)\b`,
      cue`^${prefix}(?:regarde|regardez|note|notez|continue|continuez|vas-y|allez-y)[,.!]`,
      // Prompts to speak, and instructions typical of exams, lessons and calls.
      cue`\b(?:racont|expliqu|montr|répét|décri|présent|précis|dis|dites|parl)\p{L}*-(?:moi|nous|vous)\b|\b(?:peux|pouvez|pourrais|pourriez|peut|veux|voulez)(?:-(?:tu|vous))? (?:me |nous |m'|bien |juste )*(?:expliquer|répéter|redire|dire|préciser|décrire|raconter|épeler|développer)\b`,
      cue`\b(?:la bouche|la langue|le genou|à fond|cahiers?|à la page|bouton|l'écran|tout de suite|point par point|là-dessus)\b|\bje (?:regarde|vérifie|cherche) (?:ça )?dans\b|\b(?:je vais (?:vous|te) (?:poser|montrer|expliquer|raconter)|on va (?:regarder|voir|lire))\b`,
      // Requests to the audience, and prohibitions.
      cue`\b(?:le point|la main|applaudi\p{L}+|faites passer|arrête[zr]?|rentrez bien|servez-vous|mangez|buvez)\b|\b(?:laisse|laissez)-(?:moi|nous) (?:te |vous |lui )?\p{L}+(?:er|ir|re)\b|\bdébrouiller\p{L}+`,
    ],
    unassigned: [
      // Duties of people and institutions outside the conversation.
      cue`^${prefix}(?:son|sa|ses|leurs?|le|la|les) (?!(?:équipe|groupe|reste|deux|autres?)\b)(?:\p{L}+ ){1,4}?(?:doit|doivent|devra|devront|devrait|devraient)\b|\b(?:nous|me|te|lui|leur|vous) (?:doit|doivent)(?! (?:\p{L}+ )?\p{L}+(?:er|ir|re)\b)`,
      cue`\b(?:les|des|nos|leurs|vos) \p{L}+s (?:\p{L}+ )?(?:doivent|devront|devraient)\b|\bon (?:le |la |les |l'|lui |leur |en |y )*\p{L}{2,}ra\b`,
      cue`\b(?:il|on|nous) (?:nous )?(?:faudrait|devrait|devrions)\b|\bdevrai(?:t|ent) être\b`,
    ],
    withdrawn: [
      cue`^(?:(?:non|ah|oh|mais|attends|attendez|merci|bon|en fait|finalement|euh|${NAME})[,.]? )*(?:pas la peine|pas besoin|(?:ce )?n'est pas (?:la peine|nécessaire)|c'est pas la peine|inutile|laisse(?:z)?(?: tomber| ça)?|ne te dérange pas|ne vous dérangez pas|je (?:plaisante|rigole|blague)|non,? (?:merci|surtout pas)|oublie(?:z)?(?: ça)?|surtout pas|mieux vaut pas)(?= ?[.,!;]|$)`,
      // Already done, declined, or a joke.
      cue`^(?:(?:non|ah|oh|mais|attends|attendez|merci|bon|en fait|euh|${NAME})[,.]? )*(?:(?:je|j'|on|nous|elle|il|c'est|ça) ?(?:l'|les |leur |lui |t')?(?:ai|a|avons|est|c'est) déjà|déjà fait|c'est (?:déjà )?fait|très drôle|ha,? ha|pas question|hors de question|jamais de la vie|ça ne va pas)\b`,
    ],
    who: [
      cue`^${prefix}(?!Oui|Non|Bon|Bien|Merci|Bonjour|Bonsoir|Entendu|Parfait|Alors|Donc|Très|Voilà|Demain|Justement|Super|Ensuite|Puis|Enfin|Aujourd|D'accord|Sinon)(?<who>${personName}), `,
      cue`[,;:] (?<who>${personName}), `,
      cue`, (?<who>${personName})(?:,? s'il (?:te|vous) plaît)? ?[?.!]*$`,
      cue`\b(?!Qui|Je|Tu|Il|Elle|On|Nous|Vous|Ça)(?<who>${personName}) (?:va|doit|devra|se charge|s'occupe|s'occupera|se chargera|\p{L}+era)\b`,
      cue`\bque (?<who>${personName}) `,
    ],
    when: [
      cue`\b(?<when>(?:avant (?:de |d'|que )?|après |dès (?:que |qu')?|quand |lorsque |une fois (?:que )?|aussitôt que |jusqu'à ce que )[^,.;?!]+?)(?:,|[.;?!]|$| et )`,
      cue`\b(?<when>tout à l'heure|tout de suite|plus tard|bientôt|dès que possible)\b`,
    ],
  },
  questions: {
    marked: true,
    interrogatives: cue`\b(?:quoi|que|qu'est-ce|quel(?:le)?s?|quand|où|qui|pourquoi|combien|comment)\b`,
    answers: cue`^(?:(?:bon|ben|eh bien|ah|enfin|${NAME}),? )*(?:non|oui|si|personne|rien|jamais|bien sûr|exactement|évidemment|je (?:crois|pense) (?:que (?:oui|non)|pas)|parfait|pas (?:moi|du tout)|moi non(?: plus)?)\b`,
    include: [
      cue`\b(?:je (?:voulais|voudrais|souhaiterais)|j'aimerais|nous (?:voudrions|voulions)) (?:vous |te )?(?:savoir|demander) (?:si|s'|ce que|quand|combien|où|comment|qui|quel)`,
      cue`^${prefix}(?:est-ce que|est-ce qu'|qu'est-ce que|qu'est-ce qu'|qui est-ce)`,
    ],
    exclude: [
      cue`^(?:bonjour|bonsoir|salut)?[^,.]{0,20},? ?(?:(?:comment )?(?:ça va|vas-tu|allez-vous|tu vas|vous allez)(?: bien)?|vous allez (?:tous )?bien|tout le monde va bien|tu vas bien|la forme|comment s'est passé le (?:voyage|trajet)|vous m'entendez|tu m'entends|on m'entend(?: bien)?|ça va(?: bien)?|vous avez fait bon (?:voyage|route)|bien dormi)\b`,
      cue`\b(?:qu'est-ce qu'on ne ferait pas|que voulez-vous|que veux-tu|qui (?:l'eût|l'aurait) cru|qui (?:sait|ne voudrait|n'aimerait|aurait cru|peut croire|va croire|s'en plaindrait)|à quoi bon|où va-t-on|qui n'a jamais|comment voulez-vous que)\b`,
      cue`(?:n'est-ce pas|hein|franchement|non|d'accord|vous voyez|tu vois|vous savez|tu sais) ?\?$`,
      cue`\b(?:tu te souviens|vous vous souvenez|tu te rappelles) ?\?$|\b(?:depuis quand|combien de fois|à quoi ça sert|qui va encore|et alors|c'est une blague|tu imagines|vous imaginez|un de ces jours|verra un jour)\b`,
      cue`^(?:vraiment|ah bon|pardon|quoi|comment|sérieusement|ah oui|c'est vrai) ?\?$|\bje me (?:suis demandé|demandais|disais)\b`,
    ],
  },
  knowledge: {
    include: [
      cue`\b(?:s'appelle|s'appellent|on appelle|nous appelons|est appelée?|sont appelée?s|se nomme|est connue? sous|se définit|est définie?|signifie|signifient|veut dire|désigne|consiste à|consistent à|correspond à|c'est-à-dire|autrement dit|par définition)\b`,
      cue`^${prefix}(?:un|une|le|la|les|l') ?[^,.;?!]{2,60} (?:est|sont) (?:un|une|le|la|les|l')? ?(?:type|forme|méthode|processus|procédé|ensemble|mesure|manière|quantité|partie|système|technique|unité|loi|théorie|période|capacité|rapport|nombre|branche|étude)s? \p{L}+`,
      cue`\bla (?:différence entre|définition d)`,
    ],
    exclude: [cue`\bje (?:m'appelle|veux dire)\b`],
  },
  needs: {
    include: [
      cue`\b(?:j'ai|nous avons|on a|ils ont|elle a|il a|avons|aurais|aurions|aurait|aura) (?:aussi |encore |vraiment |toujours |surtout )?besoin\b`,
      cue`\b(?:je (?:voudrais|souhaite|souhaiterais|veux|cherche|préfère|préférerais)|nous (?:voudrions|souhaitons|souhaiterions|voulons|cherchons|préférons)|on (?:voudrait|aimerait|cherche|souhaite|veut)|j'aimerais|nous aimerions|il (?:me|nous) (?:faut|faudrait|manque)|il faudrait|j'espère|vivement que)\b`,
    ],
    exclude: [cue`\b(?:pas|plus) besoin\b|\bje (?:ne )?veux (?:dire|pas)\b`],
  },
  decisions: {
    include: [
      cue`\b(?:on est (?:tous )?d'accord (?:pour|que|sur)|(?:aura|auront) bien lieu|c'est (?:réglé|voté|tranché|acté|décidé)|on (?:tranche|s'arrête sur|a tranché|valide)|va pour|adoptée?s?)\b|^(?:adopté|décidé|validé),`,
      cue`\b(?:nous avons|on a|j'ai|ils ont) (?:donc |finalement |tous |bien )?(?:décidé|convenu|choisi|retenu|opté|voté|adopté|approuvé|fixé)\b`,
      cue`\b(?:c'est|est|sont) (?:donc |bien )?(?:décidée?s?|convenue?s?|entendu|adoptée?s?|approuvée?s?|arrêtée?s?|fixée?s?|validée?s?|maintenue?s?|acté)\b`,
      cue`\b(?:on (?:part sur|reste sur|retient|choisit|garde|se met d'accord|prend|fait comme ça)|marché conclu|tout le monde est d'accord|nous sommes d'accord|la décision est|nous retenons|alors on)\b`,
      cue`^${conclusion}(?:[^,.?]{0,20} )?(?:${plan}|ce sera )`,
      cue`\bpoint final\b|\baffaire conclue\b|\bc'est officiel\b|\b(?:passé|mis) (?:\p{L}+ )?au vote\b|^adjugé\b|\btout le monde est pour\b`,
    ],
    exclude: [
      cue`\b(?:n'(?:avons|a|ai|est|ont)) (?:pas|rien|toujours pas|encore rien)\b|\bpas encore\b`,
    ],
  },
  transitions: cue`^(?:(?:bon|bien|alors|très bien|ok|d'accord|et|donc|parfait|voilà|maintenant|allez|super|merci)[,.]? )*(?:(?:le |la |l'|un |une |notre )?(?:deuxième|second|seconde|troisième|quatrième|dernier|dernière|prochain|prochaine|autre|point suivant|sujet suivant) ?(?:(?:point|sujet|chose|question|dossier|gros)\b|[,:])|(?:deuxièmement|troisièmement|enfin,|pour finir|pour terminer|ensuite|autre chose|point suivant|deuxième|passons|on passe|venons-en|on en vient|parlons d)\b|(?:en ce qui concerne|concernant|quant (?:à|au|aux)|pour ce qui est|à propos d|côté |au sujet d|revenons))`,
  announcements: [
    cue`\b(?:aujourd'hui,? )(?:nous allons|on va|nous)(?: parler| voir| étudier| aborder| discuter| parlons| allons voir)?(?: de| du| des)? (?<topic>[^.!?]+)`,
    cue`\b(?:je (?:vous |t')?appelle) (?:au sujet d[eu]s?|pour|à propos d[eu]s?|parce que) (?<topic>[^.!?]+)`,
  ],
  numbers: {
    words: {
      zéro: 0,
      'une?': 1,
      ...enumerateWords(
        'deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize',
        2,
      ),
      vingt: 20,
      trente: 30,
      quarante: 40,
      cinquante: 50,
      soixante: 60,
      septante: 70,
      'huitante|octante': 80,
      nonante: 90,
      'quatre[-\\s]vingts?': 80,
      demi: 0.5,
    },
    multipliers: { 'cents?': 100, mille: 1000, 'millions?': 1e6, 'milliards?': 1e9 },
    separator: '(?: et | |-et-|-)',
    vague:
      "(?:(?:quelques|plusieurs|des|deux ou trois) (?:centaines|milliers|millions|dizaines|cents)(?: d['e])?|(?:une|quelques) (?:centaine|dizaine|vingtaine|trentaine|cinquantaine)(?: d['e])?)",
  },
  money: {
    currencies: [
      { word: 'euros?|balles', code: 'EUR' },
      { word: 'francs? suisses?', code: 'CHF' },
      {
        word: 'francs? cfa',
        code: 'XOF',
        places: {
          XAF: String.raw`\b(?:cameroun|gabon|congo|tchad|yaoundé|douala|libreville)\b`,
          XOF: String.raw`\b(?:sénégal|dakar|abidjan|côte d'ivoire|mali|bamako|bénin|togo|lomé|burkina|niger)\b`,
        },
      },
      {
        word: 'francs?',
        code: null,
        places: {
          CHF: String.raw`\b(?:suisse|genève|lausanne|fribourg|neuchâtel|sion|valais|vaud|berne|zurich)\b`,
          XOF: String.raw`\b(?:cfa|sénégal|dakar|abidjan|bamako|lomé)\b`,
        },
      },
      { word: 'dollars? canadiens?', code: 'CAD' },
      {
        word: 'dollars?',
        code: 'USD',
        places: {
          CAD: String.raw`\b(?:canad\p{L}*|québec\p{L}*|montréal|ottawa|laval|gatineau)\b`,
        },
      },
      { word: 'livres? sterling', code: 'GBP' },
      {
        word: 'dirhams?',
        code: null,
        places: { MAD: String.raw`\b(?:maroc\p{L}*|casablanca|rabat|marrakech)\b` },
      },
      {
        word: 'dinars?',
        code: null,
        places: { TND: String.raw`\b(?:tunis\p{L}*)\b`, DZD: String.raw`\b(?:alg\p{L}+)\b` },
      },
    ],
    signs: { '\\$': 'USD' },
    connector: "(?: d'| de )",
    withoutCurrency: [
      String.raw`\b(?:coûtent?|coûtait|a coûté|coûtera|payé|paie|payons|facture|facturé|vaut|valait|revient à|pour seulement|dépensé|demandent?|s'élève à) (?:environ |à peu près |près de |seulement |presque )?{n}\b(?=[,.;?!]|$| (?:chacun|par|au|à|et|mais|en tout))(?![,.]\d)`,
    ],
    bare: {
      subject: String.raw`\b(?:coût\p{L}*|prix|pay\p{L}*|pai[ez]\p{L}*|budget|loyer|frais|factur\p{L}+|acompte|caution|salaire|dépens\p{L}+|argent|cher|chère|chers|remise|gagn\p{L}+|subvention\p{L}*|vend\p{L}*|achet\p{L}*|devis|tarif\p{L}*|vaut|cotis\p{L}+|recette\p{L}*)\b`,
      next: String.raw` (?:pour|par|chacun|chacune|au|à|et|ou|mais|si|c'est|est|en|de plus|de moins|avec|que|tout|maximum|net|brut|l'|la|le|avant|après|maintenant)\b`,
      labels: String.raw`\b(?:pour(?= ?cent)|salle|numéro|page|étage|porte|ligne|version|étape|chapitre|rue|chambre|depuis|jusqu'en|en|article)`,
    },
    purposes: [
      cue`\bpour (?<purpose>(?!cent|vous|nous|moi|ça|l'instant|\d)(?:le |la |les |l'|un |une |des |mon |ma |notre |votre )[^,.;?!]+?)(?=[,.;?!]|$| (?:et|mais|si|parce|qui|que|en|avant|à|est|coûte)\b)`,
      cue`\b(?<purpose>(?:le|la|les|un|une|notre|votre|mon|ma|cette|ce) (?:\p{L}+ ){0,3}?\p{L}+|l'\p{L}+(?: \p{L}+){0,2}) (?:coûtent?|coûtait|coûtera|a coûté|est|sont|revient|s'élève|vaut|a rapporté|nous avait rapporté|était)\b`,
    ],
  },
  dates: {
    months:
      'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(
        ' ',
      ),
    weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi'.split(' '),
    relative: [
      ["aujourd'hui", 0],
      ['ce soir', 0],
      ['cet après-midi', 0],
      ['ce matin', 0],
      ['cette nuit', 0],
      ['ce midi', 0],
      ['demain', 1],
      ['après-demain', 2],
      ['hier', -1],
      ['avant-hier', -2],
      ['la veille', null],
      ['dans huit jours', 7],
      ['dans quinze jours', 14],
      [
        '(?:la |le )?(?:semaine|mois|week-end) (?:prochaine?|dernière?|passée?|dernier|suivante?|qui vient)',
        null,
      ],
      ['(?:cette semaine|ce mois-ci|ce week-end)', null],
      ['(?:le )?week-end', null],
      ['(?:la |à la )?fin (?:du|de) (?:mois|la semaine|semaine)', null],
      ['(?:le )?début (?:du mois|de la semaine|de semaine)', null],
      ["la (?:semaine|quinzaine) d'après", null],
      ['noël', null],
      ["la toussaint|pâques|l'ascension", null],
    ],
    ordinals: { 'premier|1er': 1 },
    words: {
      next: 'prochain|qui vient',
      last: 'dernier|passé',
      this: 'ce',
      'week+1': "(?:de )?(?:la )?semaine prochaine|d'en huit|en huit",
      'week-1': 'de la semaine dernière',
      'week+0': 'de cette semaine',
      days: 'jours?',
      weeks: 'semaines?',
      months: 'mois',
      ahead: "dans|d'ici",
      ago: 'il y a',
    },
    forms: [
      String.raw`\b(?:le )?(?:{day}|{ordinal}) {month}\b(?: {year}\b)?`,
      String.raw`\ble (?:(?<day>[0-3]?\d)|{ordinal})(?=[,.;?!]|$| (?:à|au|et|ou|du mois|matin|dans|si|pour)\b)`,
      String.raw`\b{relative}\b`,
      String.raw`\b(?:le )?(?:{this} )?{weekday}\b(?: (?:{next}|{last})\b)?`,
      String.raw`\b{weekday} (?:{week+1}|{week-1}|{week+0})\b`,
      String.raw`\b(?:le )?(?:premier|deuxième|dernier) {weekday} (?:de |d'|du mois|du mois de )(?:{month})?`,
      String.raw`\b(?:(?:la )?(?:fin|mi|début|courant|mi-)[- ]?|au mois de |le mois de |en |dès )?{month}\b(?: (?:prochain|dernier)\b)?`,
      String.raw`\b{ahead} {n} (?:{days}|{weeks}|{months})\b`,
      String.raw`\b{ago} {n} (?:{days}|{weeks}|{months})\b`,
      String.raw`\b(?:à|vers|dès|avant|après|jusqu'à|entre|pour) {hour} (?:heures?|h)(?: ?\d\d| et demie| et quart| moins le quart| trente| quinze)?(?: (?:du matin|du soir|de l'après-midi|précises|pile))?\b(?! (?:de (?!l'après)|par|d'affilée))`,
      String.raw`\b[012]?\d ?h ?[0-5]\d\b`,
      String.raw`\b{hour} heures? (?:du matin|du soir|de l'après-midi)\b`,
      String.raw`(?<=\b(?:à|vers|avant|dès|jusqu'à|pour) )(?:midi|minuit)(?: et demie)?\b`,
    ],
    parts: [
      String.raw`\b(?:le |au )?(?:matin|soir|après-midi|midi)\b`,
      String.raw`\bdans la (?:matinée|soirée|journée)\b`,
    ],
    exclusions: [
      String.raw`\b(?:tous les|toutes les|chaque) (?:{weekday}s?|jours?|semaines?|matins?|soirs?|mois|week-ends?)\b`,
      String.raw`\bles {weekday}s\b`,
      String.raw`\b(?:bonne (?:journée|soirée)|joyeux noël|de nos jours|{n} heures? (?:de (?!l'après)|par )\p{L}+)\b`,
      String.raw`\b(?:pendant|durant|en|dure|durera|prend|reste|il reste|encore|depuis|sous) {n} (?:heures?|h)\b`,
    ],
    separator: ',? ?(?:(?:à|vers|au|le|dans|en|dès|de) )*',
    pastTense: cue`\b(?:était|étaient|avait|a été|ont été|est allée?|s'est|avons|avez|ont|depuis|ai|a \p{L}+[éi])\b`,
  },
};
