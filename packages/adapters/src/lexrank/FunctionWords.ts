/**
 * Lists function words: the most common words of each accepted language, which say nothing about
 * the topic. These words are ignored when sentences are compared, and are never used as headings.
 */
import type { Language } from "@verbatim/core/transcription"

const lists: Readonly<Record<Language, string>> = {
  af: `die en het is dit dat nie van vir met sy hulle ons ek jy jou my was wat wie waar hoe ook
    maar of as om aan by op uit oor dan nou net kan sal moet word gaan baie nog daar hier
    hierdie al tot so`,
  ar: `في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن أنا أنت كان كانت يكون
    أن إن لا لم لن ما ماذا هل أو ثم لكن قد كل بعض بعد قبل عند حتى إذا لأن نعم كما أيضا جدا هناك
    هنا الآن فقط`,
  az: `və bu o da də ki ilə üçün bir var yox nə mən sən biz siz onlar onun bizim çox daha amma
    ancaq sonra əvvəl belə elə hər kimi olan olar idi indi bəli xeyr necə niyə harada`,
  be: `і ў у на не што як гэта з да за па ад для але бы ён яна яно яны мы вы я ты мне нас вас
    іх яго яе так там тут ці калі дзе хто чаму вельмі ўжо яшчэ толькі быў была было былі ёсць
    можна трэба`,
  bg: `и в на не че да се от за с по като това този тази тези ще са е съм сме сте беше бяха но
    или ако как кога къде кой какво защо много още само вече тук там аз ти той тя то ние вие те
    ги му им има`,
  bs: `i u na je da se od za s sa po kao to ovo ono taj ova oni ona on mi vi ja ti će su sam
    smo ste bio bila bilo ali ili ako kako kada gdje ko šta što zašto vrlo još samo već ovdje
    tamo ima nije dobro`,
  ca: `el la els les un una uns de del dels a al en i o que no és són era amb per com més però
    si quan on qui què molt també ja aquest aquesta això allò ell ella nosaltres vosaltres jo
    tu hi ha han he hem ser estar fer tot tots doncs ara aquí perquè`,
  cs: `a v na je se že to s z do i o k za po pro ale nebo jak když kde kdo co proč ten ta toto
    tato tyto jsem jsi jsme jste jsou byl byla bylo byli bude budou já ty on ona my vy oni jeho
    její jejich mě nás vás už ještě jen velmi také tak tam tady může musí máme má nám dobře
    protože aby který která které`,
  cy: `y yr a ac i yn o ar am gan â na ni ei eu fy ein eich mae oedd bod yw ydy hwn hon hyn
    hynny fe hi nhw chi ti fi ond neu os pan ble pwy beth pam sut iawn hefyd dim wedi bydd gyda
    wrth`,
  da: `og i at det er en et den de som på til af for med har ikke der var jeg du han hun vi man
    kan skal vil men eller hvis når hvor hvem hvad hvorfor hvordan også så meget mere kun her
    nu da om fra ved dem os jer min din sin vores deres være blev bliver havde noget alle jo ja
    nej tak lige bare`,
  de: `der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass
    wenn als wie ob ich du er sie es wir ihr mich dich ihn uns euch ihnen mir dir ihm mein dein
    sein ihre unser nicht kein keine ist sind war waren bin bist seid wird werden wurde hat
    haben hatte habe kann können konnte soll sollte muss müssen will wollen möchte in im an am
    auf aus bei mit nach von vom zu zum zur für über unter um durch vor bis auch noch nur schon
    so da dann dort hier jetzt sehr mehr man was wer wo wann warum also ja nein na mal halt
    eben doch davon damit dabei dafür darin diese dieser dieses diesem diesen alle alles etwas
    nichts gar ganz natürlich bitte danke guten tag genau gut sich hallo eins zwei drei vier
    fünf sechs sieben acht neun zehn zwölf zwanzig dreißig hundert tausend`,
  el: `ο η το οι τα του της των τον την και να με σε για από στο στη στην στον στα στις που πως
    πώς ότι δεν μην μη θα είναι ήταν είμαι είμαστε έχει έχουμε έχω έχουν εγώ εσύ αυτός αυτή
    αυτό αυτά εμείς εσείς μας σας τους μου σου αλλά ή αν όταν πού ποιος τι γιατί πολύ πιο κι
    εδώ εκεί τώρα ναι όχι μόνο`,
  en: `the a an and or but if because as than that this these those there here it its it's he
    she they we you i me him her them us my your his their our is are was were be been being am
    do does did done don't doesn't didn't have has had having will would can could should shall
    may might must can't won't wouldn't couldn't isn't aren't wasn't not no yes to of in on at
    by for with from into about over under up down out off again then so too very just only
    also even still more most much many some any every all both each few other another such
    same own who whom whose what which when where why how one i'm i've i'll i'd we're we've
    we'll you're they're that's there's let's let get gets got goes go going come say said says
    think know mean want well okay ok right really like thing things please thank thanks good
    morning hello now two three four five six seven eight nine ten eleven twelve twenty thirty
    forty fifty hundred thousand million`,
  es: `el la los las lo un una unos unas de del a al en y o u que no es son era eran ser está
    están estar con por para como más pero si sí cuando donde dónde quién qué cuál muy también
    ya este esta esto estos estas ese esa eso él ella ellos nosotros yo tú usted ustedes me te
    se nos le les su sus mi tu hay ha han he hemos había fue fueron todo todos pues entonces
    ahora aquí porque cada sobre hasta desde bueno gracias tiene tenemos puede hacer dos tres
    cuatro cinco seis siete ocho nueve diez veinte treinta cien mil`,
  et: `ja on ei et see seda selle need ma sa ta me te nad mina sina tema meie teie mis kes kus
    kuidas miks millal kui aga või ning ka siis veel juba väga ainult nii oli olid olen oleme
    olla saab peab võib siin seal nüüd ju kõik oma`,
  fa: `و در به از که این آن را با برای تا هم یا اما اگر چون است بود هست نیست شد می ما من تو او
    شما آنها ایشان چه کی کجا چرا چطور خیلی فقط هر همه یک باید شود کرد کرده کنیم کند دارد داریم
    اینجا آنجا بله نه`,
  fi: `ja on ei se että ne niin kuin mutta tai jos kun minä sinä hän me te he tämä tuo nämä
    mikä mitä kuka missä miksi miten myös vielä jo vain hyvin oli olivat olen olemme olla ovat
    tulee pitää voi täällä siellä nyt sitten kaikki joka jotka sitä sen niiden meidän teidän
    minun joo kyllä`,
  fr: `le la les l un une des de du d à au aux en et ou où que qu qui quoi dont ne pas n' c'est
    est sont était étaient être sera a ont avait avoir avec par pour comme plus mais si quand
    comment pourquoi très aussi déjà ce cet cette ces ça cela il elle ils elles on nous vous je
    tu me te se lui leur leurs son sa ses mon ma mes notre votre nos vos y j'ai tout tous toute
    toutes alors donc maintenant ici là parce dans sur sous chez entre même encore bien oui non
    merci fait faire peut bon bonjour deux trois quatre cinq six sept huit neuf dix vingt
    trente cent mille`,
  gl: `o a os as un unha uns unhas de do da dos das ao á en no na nos nas e ou que non é son
    era ser está con por para como máis pero se si cando onde quen moi tamén xa este esta isto
    ese esa iso el ela eles nós eu ti vostede me te lle seu súa hai ten todo todos pois entón
    agora aquí porque`,
  he: `של את על עם אל מן לא כן הוא היא הם הן אני אתה אנחנו אתם זה זאת זו אלה יש אין היה היתה
    היו יהיה כי אם או אבל גם רק עוד כבר מאוד כל מה מי איפה מתי למה איך כמו לפני אחרי עד שלנו
    שלי שלך לנו לי לך אז פה`,
  hi: `का की के को में से पर और या है हैं था थी थे हो होगा होता होती नहीं यह वह ये वे इस उस हम
    आप मैं तुम मेरा हमारा आपका अपने कि जो तो भी ही ने एक क्या कौन कहाँ कब क्यों कैसे बहुत अब
    यहाँ वहाँ लिए साथ बाद पहले कर करना करते किया गया जी हाँ लेकिन अगर सब कुछ`,
  hr: `i u na je da se od za s sa po kao to ovo ono taj ova oni ona on mi vi ja ti će su sam
    smo ste bio bila bilo ali ili ako kako kada gdje tko što zašto vrlo još samo već ovdje tamo
    ima nije dobro`,
  hu: `a az és is hogy nem ez egy ezt azt meg de ha mint vagy van volt lesz vannak voltak én te
    ő mi ti ők ki mit hol mikor miért hogyan nagyon csak már még itt ott most akkor majd igen
    kell lehet minden ami aki amit így úgy pedig mert sem el fel be le`,
  hy: `և եւ է են եմ ենք էր էին որ այս այդ այն ես դու նա մենք դուք նրանք իր մեր ձեր նրա ոչ չէ
    բայց կամ եթե երբ որտեղ ինչ ով ինչու ինչպես շատ միայն նաև արդեն դեռ այստեղ այնտեղ հետո առաջ
    համար մի բոլոր պետք`,
  id: `yang dan di ke dari untuk dengan ini itu tidak ada adalah akan bisa juga sudah belum
    kami kita saya anda kamu dia mereka atau tapi tetapi jika kalau karena seperti pada oleh
    dalam saat apa siapa mana kapan mengapa bagaimana sangat lebih hanya lagi masih semua harus
    dapat sini sana ya lalu jadi`,
  is: `og að er það sem í á til um við af með en ekki var ég þú hann hún þeir þær þau þið hvað
    hver hvar hvenær hvernig mjög líka bara þegar eða ef svo hér þar nú frá fyrir eru voru
    verður hefur hafa þessi þetta þessu allt allir já nei`,
  it: `il lo la i gli le un uno una di del dello della dei degli delle a al alla ai alle da dal
    dalla in nel nella nei nelle su sul sulla con per tra fra e o ma se che chi non è sono era
    erano essere come più quando dove perché cosa quale molto anche già questo questa questi
    queste quello quella lui lei noi voi loro io tu mi ti si ci vi ne suo sua mio nostro ha
    hanno ho abbiamo aveva tutto tutti allora quindi ora adesso qui poi solo ancora ogni bene
    grazie fare può buongiorno`,
  ja: `の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない この ため その あっ よう また もの という
    あり まで られ なる へ か だ これ それ あれ ここ そこ です ます でし まし ました でした ません はい いいえ ください どう どれ 何 私 皆さん ね よ ので
    のに けど でも そして ただし たい さん ほか`,
  kk: `және бұл ол осы сол мен сен біз сіз олар оның біздің үшін бар жоқ емес не кім қайда
    қашан неге қалай өте тағы да де та те бірақ немесе егер деп болып болады болды еді енді бір
    барлық кейін дейін`,
  ko: `이 그 저 것 수 등 및 또는 그리고 그래서 하지만 그런데 우리 저는 나는 제가 우리가 우리는 있습니다 없습니다 합니다 했습니다 입니다 네 아니요 무엇 누가
    어디 언제 왜 어떻게 아주 매우 더 또 다시 지금 여기 거기 모든 있는 하는 할 한 그럼 대해 위해 때문에 오늘 그것은 이것은`,
  lt: `ir yra kad į iš su ne tai o bet ar kaip kur kas kada kodėl labai dar jau tik šis ši šie
    tas ta aš tu jis ji mes jūs jie jos mano mūsų jūsų buvo bus būti gali reikia čia ten dabar
    už per nuo iki prie po dėl jei arba visi`,
  lv: `un ir ka no uz ar ne tas tā to bet vai kā kur kas kad kāpēc ļoti vēl jau tikai šis šī
    šie es tu viņš viņa mēs jūs viņi mans mūsu jūsu bija būs būt var vajag šeit tur tagad par
    pie pēc līdz ja arī visi lai`,
  mi: `te ngā he o a i ki kei kua ka e me mā nā nō mō ko ahau au koe ia tātou mātou rātou
    koutou tēnei tēnā tērā ēnei aha wai hea āhea pēhea engari rānei mehemea anō hoki tino katoa
    kāore ehara āe nei rā ana atu mai`,
  mk: `и во на не дека да се од за со по како тоа овој оваа овие тие таа тој ние вие јас ти ќе
    е сум сме сте беше беа но или ако кога каде кој што зошто многу уште само веќе тука таму
    има нема добро`,
  ms: `yang dan di ke dari untuk dengan ini itu tidak ada adalah akan boleh juga sudah belum
    kami kita saya anda awak dia mereka atau tetapi jika kalau kerana seperti pada oleh dalam
    apa siapa mana bila mengapa bagaimana sangat lebih hanya lagi masih semua mesti dapat sini
    sana ya jadi`,
  ne: `र को का की मा ले लाई बाट पनि छ छन् हो थियो थिए हुन्छ हुने भयो गर्ने गरेको यो त्यो यी ती
    हामी म तपाईं उनी उनीहरू हाम्रो मेरो के कहाँ कहिले किन कसरी धेरै अब यहाँ त्यहाँ लागि सँग पछि
    अघि तर यदि सबै एक नै त भने होइन`,
  nl: `de het een en of maar als dat die dit deze is was waren zijn ben bent wordt worden heeft
    hebben had ik jij je hij zij ze wij we jullie u hem haar hun ons mij mijn jouw onze niet
    geen in op aan uit bij met naar van voor over onder om door tot ook nog alleen al zo daar
    dan er hier nu heel meer men wat wie waar wanneer waarom hoe dus ja nee kan kunnen moet
    moeten zal zou wil willen gaan gaat doen want omdat alle alles iets niets wel even toch
    goed dank`,
  no: `og i at det er en et ei den de som på til av for med har ikke der var jeg du han hun vi
    man kan skal vil men eller hvis når hvor hvem hva hvorfor hvordan også så veldig mer bare
    her nå da om fra ved dem oss dere min din sin vår deres være ble blir hadde noe alle jo ja
    nei takk`,
  pl: `i w we na z ze do nie to że się jest są był była było byli być będzie będą o od po za
    dla przy przez jak ale czy lub albo jeśli kiedy gdzie kto co dlaczego ten ta te ci tego tej
    tych tym on ona ono oni my wy ja ty mnie nas was ich jego jej mój nasz bardzo też także
    jeszcze już tylko tak tam tu tutaj może można trzeba mamy ma nam który która które więc bo
    żeby teraz wszystko dobrze dzień`,
  pt: `o a os as um uma uns umas de do da dos das ao à em no na nos nas e ou que não é são era
    eram ser está estão estar com por pelo pela para como mais mas se sim quando onde quem qual
    muito também já este esta isto esse essa isso ele ela eles elas nós eu tu você vocês me te
    lhe seu sua meu nosso há tem têm temos tinha foi foram tudo todos pois então agora aqui
    porque cada sobre até desde bem obrigado pode fazer vai vamos`,
  ro: `și în la de pe cu din că nu este sunt era erau fi a al ale ai o un une unui unei pentru
    prin dar sau dacă când unde cine ce care cum foarte mai acest această acestea acela el ea
    ei ele noi voi eu tu mă te se ne vă îi lor meu nostru am are avem au fost toate toți deci
    acum aici acolo doar încă deja trebuie poate să`,
  ru: `и в во на не что как это с со к ко за по от до из у о об для но а или если когда где кто
    чего почему зачем этот эта эти того той тех тот та те он она оно они мы вы я ты мне меня
    нас вас нам вам их его её ей ему им был была было были быть будет будут есть бы же ли уже
    ещё еще только очень так там тут здесь можно нужно надо который которая которые чтобы
    потому тоже также сейчас теперь все всё всех вот ну да нет хорошо спасибо при после перед`,
  sk: `a v vo na je sa že to s so z zo do i o k za po pre ale alebo ako keď kde kto čo prečo
    ten tá toto táto tieto som si sme ste sú bol bola bolo boli bude budú ja ty on ona my vy
    oni jeho jej ich mňa nás vás už ešte len veľmi tiež tak tam tu môže musí máme má nám dobre
    pretože aby ktorý ktorá ktoré`,
  sl: `in v na je da se od za s z po kot to ta ti te tista oni ona on mi vi jaz bo bodo so sem
    smo ste bil bila bilo ali ampak če kako kdaj kje kdo kaj zakaj zelo še samo že tukaj tam
    ima ni dobro tudi pa ki ker lahko mora`,
  sr: `и у на је да се од за с са по као то ово оно тај ова они она он ми ви ја ти ће су сам
    смо сте био била било али или ако како када где ко шта што зашто врло још само већ овде
    тамо има није добро i u na je da se od za sa po kao to ovo ono taj ova oni ona on mi vi ja
    ti će su sam smo ste bio bila bilo ali ili ako kako kada gde ko šta što zašto vrlo još samo
    već ovde tamo ima nije dobro`,
  sv: `och i att det är en ett den de som på till av för med har inte där var jag du han hon vi
    man kan ska vill men eller om när vart vem vad varför hur också så mycket mer bara här nu
    då från vid dem oss er min din sin vår deras vara blev blir hade något alla ju ja nej tack`,
  sw: `na ya wa za la kwa ni katika hii hiyo huu huo hizi hizo hawa hao yeye sisi mimi wewe
    nyinyi wao lakini au kama kwamba ili wakati wapi nani nini vipi sana pia tu bado tayari
    hapa pale sasa kila wote yote si hapana ndiyo alikuwa ilikuwa kuwa kutoka mpaka baada kabla
    yetu yangu yako yake yao`,
  th: `ที่ และ ของ ใน เป็น มี ไม่ ให้ ได้ ว่า การ จะ กับ ก็ จาก นี้ นั้น แล้ว หรือ แต่ ถ้า เรา
    ผม ฉัน คุณ เขา มัน พวก ครับ ค่ะ คะ นะ ไป มา อยู่ คือ ทุก ท่าน อะไร ใคร ไหน เมื่อไร ทำไม
    อย่างไร มาก กว่า ด้วย ต้อง เพราะ ยัง ต่อ โดย ตาม ถึง กัน วันนี้ สวัสดี ขอบคุณ ไหม เลย หลาย
    อย่าง`,
  tr: `ve bir bu o da de ki ile için var yok ne ben sen biz siz onlar onun bizim benim çok daha
    ama ancak sonra önce böyle şöyle her gibi olan olur oldu idi şimdi evet hayır nasıl neden
    nerede kim mi mı mu mü kadar şey en değil diye veya eğer çünkü burada orada`,
  uk: `і й у в на не що як це з із зі до за по від для але а або якщо коли де хто чому цей ця
    ці того той та ті він вона воно вони ми ви я ти мені мене нас вас нам вам їх його її був
    була було були бути буде є би ж же чи вже ще тільки дуже так там тут можна треба потрібно
    який яка які щоб тому теж також зараз тепер все всі ось ну ні добре дякую при після перед`,
  vi: `và là của có không được cho các những một này đó với trong để thì mà từ ở khi đã sẽ đang
    cũng như nhưng hay hoặc nếu vì nên tôi bạn anh chị em chúng ta họ nó ai gì đâu sao bao giờ
    thế nào rất hơn chỉ còn lại ra vào lên về đến rồi vâng dạ ạ nhé mọi tất cả`,
  zh: `的 了 是 在 我 你 他 她 它 我们 你们 他们 这 那 这个 那个 这些 那些 一个 一些 一条 和 与 或 但 但是 可是 如果 因为 所以 就 都 也 还 又 很 不
    没 没有 有 会 能 可以 要 应该 什么 谁 哪里 怎么 怎么办 为什么 多少 吗 呢 吧 啊 对 好 把 被 给 让 从 到 跟 向 上 下 里 中 里面 已经 现在 今天 然后
    那么 来 去 说 想 做 大家 谢谢 这里 那里 还有 开始 几个 大概`
}

const sets = new Map<Language, ReadonlySet<string>>()

/** Returns a language's function words in lower case, with straight apostrophes. */
export const functionWords = (language: Language): ReadonlySet<string> => {
  const cached = sets.get(language)
  if (cached !== undefined) return cached
  const words = new Set(lists[language].split(/\s+/))
  sets.set(language, words)
  return words
}
