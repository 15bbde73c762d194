/**
 * Words of the ten languages that tell which type of answer a question expects, and which types a paragraph contains. All
 * are regular expressions for folded text, as `compilePattern` reads them.
 */

/** The types of answers: an amount, a date or time, a reason, a place, or a person. */
export const answerTypes = ['number', 'time', 'reason', 'place', 'person'] as const;
export type AnswerType = (typeof answerTypes)[number];

/** The words of one language. */
interface AnswerWords {
  /** Interrogative expressions that ask for each type of answer. */
  readonly asks: Readonly<Record<AnswerType, string>>;
  /**
   * Other interrogative words, in languages that place them first. The types of later words don't count, because "when" is
   * a conjunction in "What did she say when it rained?".
   */
  readonly asksOther?: string;
  /** Amounts, in addition to digits, and to number words if the language has spaces between words. */
  readonly amounts: string;
  readonly contains: {
    /** Expressions for a reason or a consequence. */
    readonly reason: string;
    /** Names of places, recognized by the words around them. */
    readonly place: string;
    /** Names of people, recognized by titles or capitals. */
    readonly person: string;
  };
}

/** English months and weekdays, which have capitals but name neither places nor people. */
const englishDates =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)';
/** A capitalized word within a sentence. */
const name = String.raw`(?<=[\p{Ll}\d,;:'] )(?!${englishDates}\b)\p{Lu}\p{Ll}+`;
const kanji = '一二三四五六七八九十百千万億';
const hanzi = '一两二三四五六七八九十百千万亿';
const koreanDigits = '일이삼사오육칠팔구';
const koreanPowers = '십백천만억';
/** Korean amounts. Single syllables are too ambiguous without the unit that usually follows them: 사장, 만일, 세대. */
const koreanAmounts = [
  '(?:두|세(?!대|상|일|월)|네|다섯|여섯|일곱|여덟|아홉|열(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉)?|스무|스물|서른|마흔|쉰|예순|일흔|여든|아흔) ?(?:명|개(?!인|별)|번|시|살|주|달|마리|장|대|권|병|잔|배|채|그릇|가지|군데|켤레|통|사람|분)',
  '한 ?(?:시간|달|명|살|마리|장|병|사람)',
  `[${koreanDigits}](?:층|퍼센트|프로(?!그)|킬로|미터|센티|개월|인분)`,
  `[${koreanDigits}]*[${koreanPowers}][${koreanDigits}${koreanPowers}]* ?(?:명|개(?!인|별)|시간|분|월|년|원|층|퍼센트|킬로|미터|센티|살|인분)`,
  `[${koreanDigits}][${koreanPowers}][${koreanDigits}${koreanPowers}]*|[십백천][만억]|절반|반값`,
]
  .map((source) => `(?<![\\p{L}])(?:${source})`)
  .join('|');

export const answerWords: Readonly<Record<string, AnswerWords>> = {
  ar: {
    asks: {
      number: String.raw`\b[وف]?ب?كم\b`,
      time: String.raw`\b[وف]?متي\b|\b(?:في )?[اأ]ي (?:يوم|ساعة|تاريخ|شهر|سنة|عام)\b`,
      reason: String.raw`\b[وف]?(?:لماذا|ليش|ليه)\b|\bما (?:هو )?(?:السبب|سبب)\b|\bلاي سبب\b`,
      place: String.raw`\b[وف]?(?:أين|وين|فين)\b|\b(?:في|إلى|من) أي (?:مدينة|بلد|دولة|شارع|حي|مكان|قرية|غرفة|متجر|محل)\b`,
      person: String.raw`^من (?!أين\b|أي\b|متي\b)|\b[ولب]?من (?:الذي|التي|هو|هي|هم|الذين|سي\p{L}+)`,
    },
    asksOther: String.raw`\b[وف]?(?:ما|ماذا|هل|كيف|أي)\b`,
    amounts: String.raw`\b(?:ساعتين|يومين|أسبوعين|شهرين|سنتين|عامين|مرتين|دقيقتين|نصف|ربع|ثلث|عشرات|مئات|آلاف)\b`,
    contains: {
      reason: String.raw`\b[وف]?(?:لأن\p{L}*|بسبب\p{L}*|لذلك|لهذا|لكي|كي|عشان|علشان|السبب|سبب|حتي لا|بما أن|نظرا|وإلا|من أجل)\b`,
      place: String.raw`\b(?:شارع|حي|مدينة|منطقة|قرية|ميدان|ساحة) \p{L}+`,
      person: String.raw`\b[وف]?(?:السيدة?|الأستاذة?|الدكتورة?|المهندسة?|الشيخ|الحاج|أبو|أم|عم|خالة|اسمه|اسمها)\b`,
    },
  },
  en: {
    asks: {
      number: String.raw`\bhow (?:many|much|long|often|old|far|big|large|tall|high|deep|wide|heavy|fast|warm|hot|cold)\b|\b(?:what|which) (?:price|percentage|amount|number|sum|share|size|age)\b|\bwhat (?:is|was|are|were|will be) the (?:price|cost|fee|rent|amount|number|total|percentage)\b`,
      time: String.raw`\bwhen\b|\bhow (?:soon|late|early)\b|\b(?:what|which) (?:time|day|date|month|year|week|season)\b|\bwhat (?:is|was|are|were) the (?:date|deadline|day|time)\b`,
      reason: String.raw`\bwhy\b|\bhow come\b|\b(?:what|which) reason\b|\bwhat (?:is|was|are|were) the (?:reason|cause)s?\b`,
      place: String.raw`\bwhere\b|\b(?:what|which) (?:place|city|town|village|country|region|street|road|building|room|hall|shop|store|restaurant|hotel|hospital|school|station|address)\b`,
      person: String.raw`\bwho(?:m|se|'s|'ll|'d)?\b|\b(?:what|which) (?:person|man|woman|people)\b`,
    },
    asksOther: String.raw`\b(?:what|which|how)\b`,
    amounts: String.raw`\b(?:half|dozens?|twice|double|couple of|pair of|quarter of|percent)\b`,
    contains: {
      reason: String.raw`\b(?:because|due to|owing to|thanks to|so that|otherwise|or else|therefore|that's why|that is why|in case|reasons?|since (?:i|we|you|he|she|it|they|the|there))\b|, so\b`,
      place: String.raw`\b(?:in|at|from|near|to|through|outside) (?:the )?(?!${englishDates}\b)\p{Lu}\p{Ll}+`,
      person: String.raw`\b(?:mr|mrs|ms|dr|professor|sir)\b|${name}`,
    },
  },
  es: {
    asks: {
      number: String.raw`\bcu[aá]nt[oa]s?\b|\bqu[eé] (?:precio|porcentaje|cantidad|importe|edad|tamaño)\b|\bcu[aá]l (?:es|era|fue|será) (?:el (?:precio|coste|costo|importe|total|porcentaje)|la (?:cantidad|cuota))\b`,
      time: String.raw`\bcuándo\b|^(?:¿ ?)?cuando\b|\bqu[eé] (?:hora|d[ií]a|fecha|mes|año|semana)\b|\bcu[aá]l (?:es|era|fue|será) (?:la fecha|el plazo|el d[ií]a)\b`,
      reason: String.raw`\bpor qué\b|^(?:¿ ?)?por ?que\b|\b(?:cu[aá]l|qu[eé]) (?:es |era |fue )?(?:el |la )?(?:motivo|raz[oó]n|causa)\b|\ba qué se debe\b`,
      place: String.raw`\b(?:a|de )?dónde\b|^(?:¿ ?)?(?:a|de )?donde\b|\bqu[eé] (?:ciudad|pueblo|pa[ií]s|lugar|sitio|calle|sala|tienda|edificio|barrio|hotel|restaurante|hospital|colegio)\b`,
      person: String.raw`\bquiénes\b|\bquién\b|^(?:¿ ?)?(?:a |de |con |para )?quien(?:es)?\b|\bqu[eé] persona\b`,
    },
    asksOther: String.raw`\b(?:qué|cuáles|cuál|cómo)\b|^(?:¿ ?)?(?:que|cual|como)\b`,
    amounts: String.raw`\b(?:mitad|medi[oa]|docenas?|doble|triple|par de|cuarto de|tercio|decena|quincena|por ciento)\b`,
    contains: {
      reason: String.raw`\b(?:porque|ya que|puesto que|debido a|a causa de|por culpa|por eso|así que|para que|si no|por lo tanto|es que|fue por|motivos?|raz[oó]n(?:es)?|gracias a)\b`,
      place: String.raw`\b(?:en|desde|hasta|hacia|a|de) (?:el |la |los |las )?\p{Lu}\p{Ll}+`,
      person: String.raw`\b(?:señora?|señorita|sr|sra|don|doña|doctora?)\b|${name}`,
    },
  },
  fr: {
    asks: {
      number: String.raw`\bcombien\b|\bquel(?:le)?s? (?:est |était |sera )?(?:le |la |les |l')?(?:prix|montant|somme|coût|pourcentage|âge|taille|loyer|tarif)\b`,
      time: String.raw`\bquand\b|\bquel(?:le)?s? (?:est |était |sera )?(?:le |la |l')?(?:heure|jour|date|mois|année|semaine|saison|délai|échéance)\b`,
      reason: String.raw`\bpourquoi\b|\bquel(?:le)?s? (?:est |était )?(?:le |la )?(?:raison|motif|cause)\b`,
      place: String.raw`\b(?:d')?où\b|\bquel(?:le)?s? (?:ville|village|pays|rue|salle|endroit|lieu|magasin|bâtiment|quartier|hôtel|restaurant|hôpital|école)\b`,
      person: String.raw`\bqui\b|\bquelle personne\b`,
    },
    asksOther: String.raw`\bqu'est-ce qu[ie]?\b|\b(?:quel(?:le)?s?|comment|quoi|lequel|laquelle)\b|^(?:que\b|qu')`,
    amounts: String.raw`\b(?:moitié|demie?|douzaine|dizaine|vingtaine|quinzaine|trentaine|centaine|double|triple|tiers|quart|pour cent)\b`,
    contains: {
      reason: String.raw`\b(?:parce qu|puisque?|à cause d|en raison d|grâce à|c'est pour|du coup|donc|sinon|pour que|raisons?|étant donné|vu que)|, car\b`,
      place: String.raw`\b(?:à|en|de|vers|dans|chez) (?:la |le |les |l')?\p{Lu}\p{Ll}+`,
      person: String.raw`\b(?:monsieur|madame|mademoiselle|m\.|mme|docteur)(?![\p{L}])|${name}`,
    },
  },
  ja: {
    asks: {
      number:
        'いくら(?!でも|か)|いくつ(?!か)|どの(?:くらい|ぐらい|程度)|どれ(?:くらい|ぐらい|だけ|ほど)|何(?:人|個|本|枚|台|円|回|歳|才|度|階|番|軒|匹|頭|割|倍|名|冊|杯|分|時間|日間|週間|年間|[かヶカケ]月|泊|キロ|メートル|パーセント)',
      time: 'いつ(?!も|か|の間)|何時(?!間)|何日(?!間)|何曜|何月|何年(?!間)|どの(?:日|曜日|時期|季節)',
      reason: 'なぜ|何故|どうして(?!も)|なんで(?!も)|(?:理由|原因)',
      place:
        'どこ(?!か)|何処|どちらへ|どちらに|どの(?:駅|町|街|国|店|部屋|場所|会場|病院|学校|建物|県|市)',
      person: '(?:誰|だれ|どなた)(?!か|も|でも)|どの人|どんな人',
    },
    amounts: `(?:[${kanji.slice(1)}]|一[十百千万億])[${kanji}〇]*(?:つ|[年月日時分秒週人個本枚台円回歳才度階軒冊匹頭羽割倍名杯泊品畳]|[かヶカケ]月|キロ|メートル|センチ|リットル|グラム|パーセント)|一(?:つ|個|本|枚|台|円|時間|週間|[かヶカケ]月|年|泊|割|キロ)|半(?:分|年|月|額|日)`,
    contains: {
      reason:
        'から(?:[、。]|$|です|ね|よ|な)|ので|ため(?!息)|せい[でだか]|おかげ|理由|原因|だから|わけ(?:で|だ)|ないと',
      place: String.raw`[\p{Script=Han}\p{Script=Katakana}ー](?:駅|市|町|村|区|県|府|通り|島|橋|寺|神社|公園|館|店|屋|院|所|場|室)(?=[にでへをのはが])`,
      person: '(?:さん|さま|様|くん|君|ちゃん)(?![\\p{L}]{0,1}[頃ごろ])|先生|社長|部長|課長',
    },
  },
  ko: {
    asks: {
      number: '얼마|몇(?! ?(?:시(?!간)|월|요일|년도))|퍼센트(?:인|입|예|였)',
      time: '언제|몇 ?시(?!간)|며칠|몇 ?월|무슨 ?요일|어느 ?(?:날|요일|달|해)',
      reason: String.raw`(?<![\p{L}])왜(?![\p{L}]*곡)|어째서|무슨 ?이유|이유(?:가|는) ?(?:뭐|무엇)|무엇 때문|뭐 때문`,
      place: '어디|어느 ?(?:도시|나라|동네|마을|역|가게|식당|병원|학교|건물|방|지역|호텔)',
      person: String.raw`누가|누구|누굴|누군|(?<![\p{L}])누(?=가)|어떤 사람|어느 분`,
    },
    amounts: koreanAmounts,
    contains: {
      reason:
        '때문|니까|거든|므로|라서|해서|아서(?=[ ,.])|어서(?=[ ,.])|이유|덕분|탓|바람에|느라|그래서|안 그러면',
      place: String.raw`[\p{L}](?:역|시장|동네|구청|공원|시청|마을|식당|가게)(?=에|으로|로|까지|은|는|이|가)|[\p{L}]에서`,
      person: String.raw`[\p{L}] ?씨(?![\p{L}]{3})|님(?=[이은을의께도과,. ]|$)|선생|사장|부장|과장|대리`,
    },
  },
  pt: {
    asks: {
      number: String.raw`\bquant[oa]s?\b|\bqua(?:l|is) (?:é |era |foi |será )?(?:o |a )?(?:preço|valor|custo|quantia|porcentagem|percentagem|idade|aluguel|total)\b`,
      time: String.raw`\bquando\b|\bque (?:horas?|dia|data|mês|ano|semana)\b|\bqua(?:l|is) (?:é |era |foi |será )?(?:o |a )?(?:data|prazo|dia|horário)\b`,
      reason: String.raw`\bpor qu[eê]\b|^porqu[eê]\b|\bporquê\b|\bqua(?:l|is) (?:é |era |foi )?(?:o |a )?(?:motivo|razão|causa)\b`,
      place: String.raw`\b(?:a|de |para )?onde\b|\bque (?:cidade|país|lugar|local|rua|sala|loja|prédio|bairro|hotel|restaurante|hospital|escola)\b|\bqual (?:cidade|país|lugar|local|rua|sala|loja|prédio|bairro|hotel|restaurante|hospital|escola)\b`,
      person: String.raw`\bquem\b|\b(?:que|qual) pessoa\b`,
    },
    asksOther: String.raw`\b(?:quais|qual|como|o que)\b|^(?:que|o que)\b`,
    amounts: String.raw`\b(?:metade|mei[oa]|dúzias?|dobro|triplo|par de|quarto de|terço|dezenas?|quinzena|por cento)\b`,
    contains: {
      reason: String.raw`\b(?:porque|pois|já que|visto que|devido a|por causa|por isso|então|senão|para que|pra que|motivos?|raz(?:ão|ões)|é que|graças a|portanto)\b`,
      place: String.raw`\b(?:em|no|na|nos|nas|para|pra|de|do|da|até|a|ao|à) \p{Lu}\p{Ll}+`,
      person: String.raw`\b(?:senhora?|sr|sra|seu|dona|doutora?)\b|${name}`,
    },
  },
  ru: {
    asks: {
      number: String.raw`\bскольк(?:о|их|им)\b|\bво сколько (?:обо|вста)\p{L}+|\bкак(?:ая|ой|ова|ов) (?:цена|сумма|стоимость|размер|возраст|процент)\b|\bпочем\b|\b(?:как|насколько) (?:долго|часто|далеко)\b`,
      time: String.raw`\bкогда\b|\bво сколько\b|\bв котором часу\b|\b(?:в )?как(?:ой|ого|ом|ую|ое) (?:день|числ[оа]|год[уа]?|месяц[еа]?|дату|время|срок)\b|\bкакого числа\b`,
      reason: String.raw`\b(?:почему|зачем|отчего)\b|\bиз-за (?:чего|кого)\b|\bкак(?:ая|ова|ой) (?:\p{L}+ )?(?:причин|повод)|\bпо какой причине\b`,
      place: String.raw`\b(?:где|куда|откуда)\b|\bкак(?:ом|ой|ую|ого|ая) (?:город|стран|мест|улиц|дерев|район|магазин|здани|комнат|гостиниц|больниц|школ)`,
      person: String.raw`\b(?:кто|кого|кому|кем|ком|чей|чья|чье|чьи)\b`,
    },
    asksOther: String.raw`\b(?:как(?:ой|ая|ое|ие|ого|ую|ом|их|им)?|что|чего|чему|чем)\b`,
    amounts: String.raw`\b(?:полтор[аы]|половин\p{L}+|двое|трое|четверо|пятеро|дюжин\p{L}+|вдвое|втрое|четверт\p{L}+|треть|процент\p{L}*|тысяч\p{L}*|сот(?:ни|ен|ню|ня))\b`,
    contains: {
      reason: String.raw`\b(?:потому|так как|из-за|поскольку|чтобы|иначе|а то|поэтому|причин\p{L}*|благодаря|раз уж|ведь|в связи с)\b`,
      place: String.raw`\b(?:в|во|на|из|под|у|до|к|около|возле) \p{Lu}\p{Ll}+`,
      person: String.raw`\b(?:господин|госпожа|доктор|\p{Lu}\p{Ll}+(?:ович|евич|овна|евна)\p{L}{0,2})\b|${name}`,
    },
  },
  th: {
    asks: {
      number: 'เท่าไร|เท่าไหร่|กี่(?!โมง|ทุ่ม)|แค่ไหน|มากน้อย',
      time: 'เมื่อไร|เมื่อไหร่|กี่โมง|กี่ทุ่ม|(?:วัน|เดือน|ปี|ตอน|ช่วง)ไหน|วันที่เท่าไ|วันอะไร',
      reason: 'ทำไม|เพราะอะไร|เพราะเหตุใด|เหตุใด|สาเหตุ|เหตุผล',
      place: '(?:ที่|ตรง|แถว|เมือง|จังหวัด|ประเทศ|ร้าน|ห้อง|โรงเรียน|โรงพยาบาล|โรงแรม|ถนน|ทาง)ไหน',
      person: 'ใคร(?!ๆ)',
    },
    amounts:
      'หนึ่ง|สอง|สาม(?!ี|าร|ัค)|สี่|ห้า(?!ม|ง)|หก(?!ล้ม|คะเมน)|เจ็ด|แปด|เก้า(?!อี้)|สิบ|(?<!เรียบ)ร้อย|หมื่น|แสน|ล้าน|ครึ่ง|ยี่สิบ|เปอร์เซ็นต์',
    contains: {
      reason: 'เพราะ|เนื่องจาก|สาเหตุ|เหตุผล|จึง|ดังนั้น|ก็เลย|ไม่งั้น|ไม่อย่างนั้น|มิฉะนั้น|จะได้ไม่|เดี๋ยวจะ',
      place:
        '(?:แถว|ตรง|อำเภอ|จังหวัด|ตำบล|ถนน|ซอย|โรงเรียน|โรงพยาบาล|โรงแรม|ร้าน|ตลาด|สถานี|วัด|สวน|ตึก|ห้อง|บ้าน)[ก-๙]{2}',
      person: '(?:คุณ(?!ภาพ|ค่า|สมบัติ)|นาย(?!ก)|นาง|หมอ|ครู|อาจารย์|ช่าง|พี่|น้อง|ลุง|ป้า|น้า|ยาย|แฟน)',
    },
  },
  zh: {
    asks: {
      number:
        '多少|多(?:久|长|大|高|远|重|贵|宽|深|快)|(?<![十好])几(?![点号月乎])(?=[个位人天年岁次张本台辆件层楼家套间条块元千百万斤公种分小倍成周])',
      time: '什么时[候间]|何时|几[点号月]|(?:星期|周|礼拜)几|哪(?:一)?(?:天|年|月|周|个月|个星期)',
      reason: '为什么|为何|为啥|怎么会|什么原因|(?:原因|理由)',
      place:
        '哪里|哪儿|[在去到往从]哪|什么地方|哪(?:一)?[个座家条间]?(?:城市|国家|地方|街|店|公司|医院|学校|酒店|饭店|车站|房间)',
      person: '谁|哪(?:一)?位|什么人|哪个人',
    },
    amounts: `(?:[${hanzi.slice(1)}]|一[十百千万亿])[${hanzi}零点]*(?:多|来|几)?(?:[个位人天年月号周次块元角毛斤公里米岁层楼套间家条张本只台辆杯瓶件份页平度倍成折秒点]|小时|分钟|分之|星期|礼拜)|一(?:年|个月|个星期|周|个?小时|个半|倍|半)|半(?:年|个|小时|天|价)|百分之`,
    contains: {
      reason: '因为|由于|所以|不然|否则|要不然|免得|省得|以免|原因|理由|为了|既然|导致|的关系',
      place: String.raw`[\p{Script=Han}](?:市|省|县|区|镇|村|街|路|站|店|院|馆|场|楼|园|寺)(?=[的里上下，。、去买吃住]|$)|[在到去][^，。?！]{1,8}(?:里|上|边|旁|对面|附近|那儿|这儿|那边|这边|门口)`,
      person:
        '先生|女士|小姐|太太|老师|师傅|医生|经理|阿姨|叔叔|总(?=[，。说])|(?<!\\p{L})[老小][\\p{Script=Han}](?=[，。说去来])',
    },
  },
};

/** Matches a calendar year. */
export const calendarYear = String.raw`(?<!\d)(?:19|20)\d\d(?!\d)`;

/** Concepts of the lexicon that are answers of a type. */
export const answerConcepts: Readonly<Record<AnswerType, readonly string[]>> = {
  number: split('half double'),
  // In addition to the dates that the analyzer finds.
  time: split('spring summer autumn winter weekend'),
  reason: [],
  place: split(`
    airport amusement-park apartment bakery-butcher balcony bank bathroom beach bedroom branch-department bridge building cafe
    cafe-bar capital-city castle cave-rock church city city-centre coast country crossroads desert factory farm forest
    garage-basement hall harbour headquarters hospital hotel house-home island kindergarten kitchen lake library
    living-room mall market meeting-room monument motorway mountain museum neighbourhood office park parking parking-lot
    pharmacy place-location region restaurant river road room school sea shop square stadium station suburb supermarket
    swimming-pool temple-mosque theatre tower town-hall tunnel university valley village warehouse zoo`),
  person: split(`
    actor architect-engineer aunt baby boss boy brother ceo-president chairperson client colleague cousin daughter dentist
    doctor father friend girl grandchild grandfather grandmother grandparents hairdresser husband in-laws lawyer
    mayor-council mother neighbor neighbour nephew-niece nurse parents partner-business partner-in-love police
    president-minister priest relative salesperson siblings sister son sports-player-coach stranger student supplier teacher
    tenant-landlord uncle volunteer wife`),
};

function split(names: string): string[] {
  return names.trim().split(/\s+/u);
}
