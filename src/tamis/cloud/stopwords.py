"""Words that carry no subject, by language: articles, pronouns, prepositions, auxiliary verbs.

The lists are short on purpose: what is on them is never in a cloud. That of Thai is PyThaiNLP's
where that is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from tamis.cloud.inflection import key
from tamis.cloud.segment import thai_corpus

_LISTS = {
    "en": "a about above according across after again against all almost along already also"
    " although always am among an and another any anyone anything are around as at away back be"
    " became because become been before behind being below between both but by came can cannot"
    " come could did didn do does doesn doing don done down during each eight either else enough"
    " etc even ever every everyone everything few five for four from further get gets getting give"
    " given go goes going got had has have having he her here hers herself him himself his how"
    " however i if in including instead into is isn it its itself just keep know later let like ll"
    " made make makes making many may maybe me might mine more most much must my myself need"
    " neither never nine no nobody none nor not nothing now of off often on once one ones only"
    " onto or other others our ours ourselves out over own per perhaps put quite rather re really"
    " said same say says see seem seems seen seven several shall she should since six so some"
    " someone something sometimes still such take taken ten than that the their theirs them"
    " themselves then there therefore these they thing things this those though three through thus"
    " to together too toward towards two under until up upon us use used using ve very via want"
    " was way we well went were what whatever when where whether which while who whole whom whose"
    " why will with within without would yes yet you your yours yourself",
    "de": "ab aber acht alle allem allen aller alles als also am an andere anderem anderen anderer"
    " anderes auch auf aus bei beim bereits bin bis bist da dabei dadurch dafür dagegen daher"
    " damit danach dann daran darauf darf darin darum das dass davon dazu dein deine dem den denn"
    " der deren des deshalb dessen dich die dies diese diesem diesen dieser dieses dir doch dort"
    " drei du durch eben ein eine einem einen einer eines einfach einige einigen er erst es etwa"
    " etwas euch euer eure fünf für ganz gar gegen geht gibt habe haben hat hatte hatten her hier"
    " hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in ins ist ja jede"
    " jedem jeden jeder jedes jedoch jetzt kann kein keine keinem keinen keiner können könnte"
    " könnten lassen laut mal man mehr mein meine meinem meinen meiner mich mir mit muss müssen"
    " nach nachdem neben neun nicht nichts noch nun nur ob oder oft ohne schon sechs sehr sei sein"
    " seine seinem seinen seiner seit selbst sich sie sieben sind so sogar solche solchen soll"
    " sollen sollte sollten sondern sonst soweit statt tun um und uns unser unsere unserem unseren"
    " unserer unter viel viele vielen vier vom von vor war waren warum was weil weiter welche"
    " welchen welcher wenn wer werde werden wie wieder will wir wird wo wollen worden wurde wurden"
    " während würde würden zehn zu zum zur zwar zwei zwischen über",
    "fr": "a afin ai ainsi alors après as au aucun aucune aujourd'hui aura aurait aussi autre"
    " autres aux avaient avait avant avec avez avoir avons beaucoup bien c car ce ceci cela celle"
    " celles celui cependant ces cet cette ceux chaque chez ci cinq comme comment contre d dans de"
    " dehors depuis des deux devant deçà dix doit donc dont du déjà elle elles en encore entre es"
    " est et eu eux faire fait faut font hors huit ici il ils j jamais je jusqu jusque l la"
    " laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui là m ma mais me mes"
    " mieux moi moins mon même mêmes n ne neuf ni non nos notre nous nôtre on ont ou où par parce"
    " pas pendant peu peut peuvent plus plusieurs pour pourquoi puis qu quand quatre que quel"
    " quelle quelles quelque quelques quels qui quoi s sa sans se selon sept sera seront ses si"
    " sinon six soi soit sommes son sont sous suis sur t ta tandis te tel telle telles tels tes"
    " toi ton toujours tous tout toute toutes trois trop très tu un une va vers veut via voici"
    " voilà vont vos votre vous vu vôtre y à ça étaient était été être",
    "es": "a adonde ahora al algo alguna algunas alguno algunos algún allí ante antes aquel"
    " aquella aquellas aquellos aquí así aunque aún bajo bien cada casi cinco como con contra cual"
    " cuales cualquier cuando cuanto cuatro cuál cuándo cómo de debe deben del desde después diez"
    " donde dos durante dónde e el ella ellas ellos en entonces entre era eran eres es esa esas"
    " ese eso esos esta estaba estar estas este esto estos estoy está están fue fueron ha haber"
    " había habían hace hacen hacer hacia han has hasta hay he hemos incluso la las le les lo los"
    " luego me mediante menos mi mientras mis misma mismas mismo mismos mucha muchas mucho muchos"
    " muy más mí nada ni ninguna ningún no nos nosotros nuestra nuestras nuestro nuestros nueve"
    " nunca o ocho os otra otras otro otros para pero poco por porque puede pueden pues que quien"
    " quienes quién qué se sea sean según seis ser será si sido siempre siete sin sino sobre solo"
    " somos son soy su sus sí sólo también tampoco tan tanto te tener ti tiene tienen toda todas"
    " todavía todo todos tras tres tu tus tú u un una unas uno unos usted ustedes va van vez"
    " vosotros y ya yo él ésta éste",
    "it": "a abbia abbiamo ad agli ai al alcuna alcune alcuni all alla alle allo allora altra"
    " altre altri altro anche ancora avere aveva avevano avuto c che chi ci cinque cioè ciò coi"
    " col come con contro così cui d da dagli dai dal dall dalla dalle dallo degli dei del dell"
    " della delle dello dentro di dieci dopo dove due dunque durante e ed era erano essa esse"
    " essere essi esso fa fare fatto fino fra fu già gli ha hai hanno ho i il in infatti invece io"
    " l la le lei li lo loro lui là lì ma me meno mentre mi mia mie miei mio molta molte molti"
    " molto ne negli nei nel nell nella nelle nello nessun nessuna noi non nostra nostre nostri"
    " nostro nove né o ogni oltre ora otto per perché perciò però più poco poi prima proprio può"
    " qua qualche quale quali quando quanto quasi quattro quella quelle quelli quello questa"
    " queste questi questo qui quindi se sei senza sette sia siamo siano solo sono sopra sotto sta"
    " stata state stati stato su sua sue sugli sui sul sull sulla sulle sullo suo suoi tale tali"
    " tanto te ti tra tre troppo tu tua tue tuo tuoi tutta tutte tutti tutto un una uno va verso"
    " vi via voi vostra vostro è",
    "pt": "a ao aos apenas após aquela aquelas aquele aqueles aquilo as assim até cada cinco com"
    " como contra cujo da das de dela delas dele deles depois desde dessa desse desta deste dez do"
    " dois dos durante e ela elas ele eles em embora enquanto entre era eram essa essas esse esses"
    " esta estar estas estava este estes estou está estão eu fazer foi foram há isso isto já la"
    " lhe lhes lo logo mais mas me mesma mesmo meu meus minha minhas muita muitas muito muitos na"
    " nas nem nenhum nessa nesse nesta neste no nos nossa nossas nosso nossos nove num numa nunca"
    " não nós o oito onde os ou outra outras outro outros para pela pelas pelo pelos pode podem"
    " pois por porque porém pouco quais qual qualquer quando quanto quatro que quem se segundo"
    " seis seja sem sempre sendo ser será sete seu seus si sido sob sobre sua suas são só também"
    " te tem tenho ter teu teve tinha toda todas todo todos três tu tudo tão têm um uma umas uns"
    " vai você vocês vão à às é",
    "nl": "aan acht af al alle alleen allemaal als altijd ander andere anders ben bent bij binnen"
    " daar daarna daarom dan dat de deze die dit doen door drie dus een eens eerst eigen elk elke"
    " en er erg ga gaan gaat ge geen geweest haar had hadden heb hebben hebt heeft heel hem hen"
    " het hier hij hoe hun ik in is ja je jij jou jouw jullie kan kon kunnen kunt maar me meer men"
    " met mij mijn moet moeten mogen na naar negen net niet niets nog nu of om omdat onder ons"
    " onze ook op over te tegen ten ter terwijl tien toch toen tot tussen twee u uit uw van vanaf"
    " veel via vier vijf vol voor waar waarom was wat we weer wel welke werd werden wie wij wil"
    " worden wordt zal ze zelf zes zeven zich zij zijn zo zoals zonder zou zouden zullen",
    "sv": "alla allt andra att av bara blev bli blir både de dem den denna deras dess dessa det"
    " detta dig din dina ditt du där då efter ej eller en enligt er era ett finns flera från för"
    " genom går ha hade han hans har hela henne hennes hon hos hur här i icke in ingen inget inom"
    " inte ja jag kan kom kommer kunde man med medan mellan men mer mig min mina mitt mot mycket"
    " många ni nog nu när någon något några och också om oss på sedan ser sig sin sina sitt ska"
    " skulle som så sådan tidigare till två under upp ut utan vad var vara varför varit varje vem"
    " vi vid vilka vilken vill vår våra vårt än är över",
    "da": "ad af alle alt anden andet andre at bare blandt blev blive bliver både da de dem den"
    " denne der deres det dette dig din dine disse dit dog du efter efterhånden eller en end endnu"
    " er et flere for fordi fra få får før gennem gør ham han hans har havde have helt hen hende"
    " hendes her hos hun hvad hvem hver hvilke hvis hvor hvordan hvorfor i igen ikke ind ingen"
    " intet ja jeg jer jeres kan kom kommer kun kunne man mange med meget mellem men mens mig min"
    " mine mit mod må nogen noget nogle nok nu når og også om op os over på samme se selv siden"
    " sig sin sine sit skal skulle som så sådan til to ud uden under var ved vi vil ville vores"
    " være været",
    "nb": "alle alt andre annen annet at av bare begge ble blei bli blir blitt både da de dem den"
    " denne der dere deres det dette di din disse ditt du eller en enn er et ett etter flere for"
    " fordi fra få får før gjennom gjør går ha hadde ham han hans har henne hennes her hos hun hva"
    " hvem hver hvilken hvis hvor hvordan hvorfor i ikke ingen inn ja jeg kan kom kommer kun kunne"
    " mange med meg mellom men mens mer min mine mitt mot mye må noe noen nok nå når og også om"
    " opp oss over på samme se seg selv siden sin sine sitt skal skulle som så til to under ut"
    " uten var ved vi vil ville vår våre være vært",
    "fi": "ei eivät eli en enemmän eniten ennen entä eräs ettei että he heidän heille hyvin hän"
    " häneen hänen ihan itse ja jo joita joka jokin joko joku jolla jolloin jonka jonkin jopa jos"
    " jossa josta jota jotka jotta kaikki kaikkien kanssa kautta keskellä koko koska koskaan kuin"
    " kuinka kuitenkin kun kuten kyllä lisäksi luona lähes me meidän meille mihin mikä mikään"
    " millainen minun minut minä missä mistä mitä mitään mm moni monia mukaan mutta muu muun muut"
    " myös ne niiden niille niin niitä noin nuo nyt näiden näin nämä ole olemme olen olet olevan"
    " oli olisi olivat olla olleet ollut on ovat pois se sekä sen siellä siihen siinä siis siitä"
    " sillä silti sinä sitten sitä tai te teidän toinen tulee tuo tähän tällä tämä tämän tässä"
    " tästä tätä vaan vaikka vain vielä voi voivat yhä yksi yli",
    "pl": "a aby albo ale ani aż bardzo bez bo bym być był była było były byś będzie będą chce"
    " choć ci cię co coś czy czyli dla dlaczego do dwa dzięki gdy gdyż gdzie go i ich ile im in"
    " inne inny innych iż ja jak jaka jakie jakiś jako je jeden jedna jednak jednym jego jej jemu"
    " jest jestem jeszcze jeśli jeżeli już każdy kiedy kilka kto która które którego której który"
    " których którym którzy lecz lub ma mają mam mi mimo między mnie może można mu musi my mój na"
    " nad nam nas nasz nawet nic nich nie niej nim niż no o od ok on ona one oni ono oraz po pod"
    " podczas ponad ponieważ poza przed przede przez przy raz również się sobie swoich swoje swój"
    " są ta tak taka taki takie także tam te tego tej ten też to tu twój ty tych tylko tym u w we"
    " według wiele wielu więc wszystkich wszystkie wszystko wy właśnie z za zawsze ze żaden że",
    "cs": "a aby aj ale ani ano asi až bez bude budou by byl byla byli bylo být chce ci co což"
    " další do dva dál díky ho i ich jak jako jaká jaké je jeho jej jejich její jen ještě ji jich"
    " jimi jinak jiné již jsem jsme jsou jste jím k kam kde kdo kdy když ke která které kterého"
    " který kterých kteří ku mají mezi mi mnoho mohou my má mít mě můj může na nad naše ne nebo"
    " nebyl nechť není než nic nich nám námi nás náš ním něco o od on ona oni ono pak po pod podle"
    " pokud pouze pro proto protože proč před přes při s se si sice svou své svůj ta tady tak taky"
    " také tam tato te ten tento to tohle toho tom tomto tomu tu tuto tvůj ty tyto tě těch u už v"
    " ve vy vám vás váš více však vše všech všechno všichni z za zde že",
    "ru": "а без более больше будет будто будут бы был была были было быть в вам вас ваш ваша ваше"
    " вдруг ведь во вот впрочем все всегда всего всех вы где да даже два для до другие другой его"
    " ее ей ему если есть еще ещё её же за здесь и из или им иногда их к каждый как какая какие"
    " какой когда которая которого которое которой которую которые который которых кто куда ли"
    " лишь лучше между меня мне много может можно мой моя мы на над надо наконец нас наш наша наши"
    " не него нее ней нельзя нет неё ни нибудь никогда ним них ничего но ну о об один однако он"
    " она они оно от очень перед по под после потом потому почти поэтому при про раз разве с сам"
    " самый свое свои своих свой свою себе себя сейчас со совсем так такая также такие такого"
    " такой там тебя тем теперь то тогда того тоже только том тот три тут ты у уж уже хорошо хоть"
    " чего чем через что чтоб чтобы чуть эта эти этим этих это этого этой этом этот эту я",
    "uk": "а або адже але б без був буде будуть була були було бути більш більше в вам вас ваш"
    " весь ви вона вони воно все всі всіх від він де для до дуже ж з за завжди замість зі й його"
    " йому к кожен коли краще крім куди лише мене мені ми може можна моя між мій на над нам нас"
    " наш наша наші не немає ні ніж ніколи ніхто о об один однак окрім от перед по поки при про"
    " під після раз с сам свої своїх свій себе собі та так така такий також такі там те теж ти тим"
    " тих то того тоді тому три тут у хоч хто це цей цього цьому ця ці через чи чого чому ще що"
    " щоб я як яка яке який яких якщо які є і із інший інші їй їм їх її",
    "el": "ένα έναν ένας έτσι έχει έχουμε έχουν έχω ή ήδη ήταν ίδια ίδιο ίδιος ίσως αλλά αν αντί"
    " απο από αρκετά αυτά αυτές αυτή αυτήν αυτής αυτοί αυτού αυτούς αυτό αυτός αυτών για γιατί δε"
    " δεν δηλαδή δύο εάν είμαι είναι είτε είχαν είχε εγώ εδώ εκεί εμείς ενός ενώ επίσης επειδή"
    " εσείς εσύ η θα κάθε κάποια κάποιο κάποιος κάτι καθώς και κατά κι λίγο μέσα μέχρι μία μα μας"
    " με μετά μη μην μια μου μπορεί μόνο να ναι ο οι ούτε πάντα πάνω παρά πια πιο ποια ποιο ποιος"
    " πολλά πολλές πολλοί πολύ που πού πρέπει πριν προς πρώτα πως πώς σαν σας σε σου στα στη στην"
    " στις στο στον στους στων συν τα τη την της τι τις το τον του τους των τόσο τότε τώρα χωρίς"
    " ως ό,τι όλα όλες όλη όλο όλοι όλων όμως όπου όπως όσο όταν ότι όχι ώστε",
    "tr": "acaba ama ancak artık asla aslında az bana bazı belki ben beni benim beri bile bin bir"
    " biraz biri birkaç birçok birşey biz bize bizi bizim bu buna bunda bundan bunlar bunu bunun"
    " burada böyle da daha de defa değil diye dolayı eden edilen en etti eğer fakat gibi göre hala"
    " hangi hatta hem henüz hep hepsi her herhangi hiç ile ilgili ise için işte kadar karşı kendi"
    " kez ki kim kimse mi mu mü mı nasıl ne neden nedenle nerede niye niçin o olan olarak oldu"
    " olduğu olduğunu olmak olması olsa olur on ona ondan onlar onların onu onun ora oysa pek"
    " rağmen sadece sanki sen seni senin siz size sizi sizin son sonra tarafından tüm var vardı ve"
    " veya ya yani yapılan yer yerine yine yok yoksa zaten çok çünkü önce öyle üzere şey şu şuna"
    " şunu",
    "ro": "a abia acea aceasta această aceea acel acela acele acest acesta aceste acestea acestei"
    " acestui acești aceștia acolo acum ai aici al ale alt alta alte altfel alți am ar are asta"
    " astfel asupra atunci atât au avea avem aveți aş aș așa ca care ce cea cei cel cele celor"
    " chiar cine cu cum când cât câte câțiva că căci cărei căror către da dacă dar de deci decât"
    " deja despre deși din dintre doar doi două după ea ei el ele era erau este eu face fi fie"
    " fiecare fiind foarte fost fără i la le li lor lui mai mea mei mele mereu meu mi mult multe"
    " mulți ne nici nimic niște noastre noi nostru nu o or ori oricare orice pe pentru peste poate"
    " prea prin până s sa sale sau se si spre sub sunt suntem sus să săi său te toate tot toți tu"
    " un una unde unei unele uneori unii unor unui va voi vom vor vostru vreo vă îi îl în înainte"
    " încă într între își și",
    "hu": "a abban ahhoz aki akik akkor amely amelyek amelyet ami amikor amit amíg annak arra az"
    " azok azonban azt aztán azután azért be belül benne bár csak de e ebben eddig egy egyes"
    " egyetlen egyik egyre egyéb el elég elő először előtt ennek erre ez ezek ezen ezt ezért fel"
    " felé ha hanem hiszen hogy hogyan igen ill ilyen is ismét itt jó jól kell kellett keresztül"
    " ki kívül között le legalább legyen lehet lehetett lenne lesz lett ma meg mellett mert mi"
    " miatt mielőtt mikor milyen minden mindig mint mintha mivel miért most már más második még"
    " nagy nagyon ne nekem nem nincs néha néhány nélkül olyan ott pedig s saját sem semmi sok"
    " sokat szemben szerint szinte számára talán te tehát teljes tovább továbbá több ugyanis után"
    " utána vagy vagyok valaki valami van vannak vele viszont volna volt voltak voltam által"
    " általában át én és így össze úgy új ő ők",
    "ar": "أبو أصبح أكثر أم أما أمام أن أنا أنت أنه أنها أو أي أيضا إذ إذا إلا إلى إن إنه إنها"
    " الآن الا التي الذي الذين اللذين الى بأن باسم بسبب بشكل بعد بعض بل بن به بها بين بينما تحت"
    " تكون تلك تم ثم جدا جميع حتى حول حيث خلال دون ذات ذلك سوف سوى ضد ضمن عام عبر عدة عدد عدم على"
    " عليه عليها عن عند عندما غير فإن فقد فقط فى في فيه فيها قال قالت قبل قد كان كانت كل كلا كم"
    " كما كيف لأن لا لدى لدي لذلك لقد لكن لم لماذا لن له لها لهم لو لي ليس ليست ما ماذا متى مثل مع"
    " معه من منذ منه منها نحن نحو نفس نفسه هذا هذه هل هم هنا هناك هو هي و وأن وإن واحد وقال وقد"
    " وكان وكانت ولا ولكن ولم وما ومن وهذا وهو وهي يكون يمكن يوجد يوم",
    "he": "או אולי אותה אותו אותם אחד אחר אחרי אחת איך אין אך אל אלא אלה אלו אם אנחנו אני אף אפילו"
    " אפשר אשר את אתה אתם באופן בגלל בה בהם בו בין בלבד בלי בעוד בפני בשל גם דרך הוא הזה היא היה"
    " היו היום הייתה הם הן הנה הרבה זאת זה זו חייב יהיה יותר יש כאן כאשר כבר כדי כי כך כל כלל כמה"
    " כמו כן כפי לא לאחר לה להיות להם לו לי לכל לכן לנו לפי לפני מאוד מאשר מאת מה מול מי מן מתוך"
    " עד עדיין עוד על עם עצמה עצמו עקב פי פעם צריך רק של שלא שלה שלהם שלו שלי שם שני תוך תחת",
    "hi": "अगर अथवा अन्य अपना अपनी अपने अब अभी आदि आप आपका आपकी आपके आया इतना इन इनका इनकी इनके इस"
    " इसका इसकी इसके इसमें इससे इसी इसे उन उनका उनकी उनके उनको उन्हें उन्होंने उस उसका उसकी उसके उसने उसी उसे एक"
    " एवं ऐसा ऐसी ऐसे और कई कब कभी कर करता करती करते करना करने करें कहा कहाँ का काफी कि कितना किया किस"
    " किसी किसे की कुछ के केवल को कोई कौन क्या क्यों गई गए गया चार चाहिए जब जहाँ जहां जा जाए जाता जाती जाते"
    " जाना जाने जिन जिस जिसका जिसकी जिसके जिसमें जिससे जिसे जैसा जैसे जो तक तब तरह तीन तो था थी थीं थे दिया"
    " दी दे दो दोनों द्वारा न नहीं ना ने पर पहले पाँच फिर बस बहुत बाद बारे भी मुझे में मेरा मेरी मेरे मैं मैंने यदि यह"
    " यहाँ यहां या ये रहा रही रहे लिए लिया लिये लेकिन व वह वहाँ वहां वही वाला वाली वाले वे सकता सकती सकते सब"
    " सबसे सभी साथ से हम हमारा हमारी हमारे हमें हर ही हुआ हुई हुए है हैं हो होता होती होते होना होने",
    "fa": "آن آنان آنجا آنها آنچه آنکه اثر از است اش اما امروز انجام او اول اکنون اگر ای ایشان این"
    " اینجا اینکه با باز باشد باشند بالا باید بر برای برخی بسیار بعد بعضی بنابراین به بهتر بود"
    " بودن بودند بوده بی بیشتر بین تا تحت تمام تنها توان تواند توسط جا جز حتی حدود خواهد خواهند"
    " خود خیلی داد دادن داده دارد دارند داشت داشته در دو دیگر را روی زیر سه سپس شامل شان شد شدن"
    " شدند شده شما شود شوند طور طول علیه غیر فقط قبل ما مانند مثل من مورد مگر می میان می‌شود"
    " می‌کند می‌کنند نباید نبود نمی نه نیز نیست ها های هر هرگز هم همان همه همچنین همین هنوز هیچ و"
    " وقتی ولی وی پس پیش چرا چند چه چون چگونه چیزی کرد کردن کردند کرده کس کسی کل کم کند کنند کننده"
    " که یا یعنی یک یکی",
    "th": "และ หรือ แต่ ของ ที่ ซึ่ง อัน ใน นอก บน ใต้ จาก ถึง กับ แก่ แด่ ต่อ เพื่อ โดย ด้วย ตาม เป็น คือ อยู่ มี ไม่"
    " ได้ ให้ จะ ก็ ว่า นี้ นั้น นี่ นั่น มา ไป แล้ว ยัง เคย กำลัง ต้อง ควร อาจ คง เขา เธอ เรา ฉัน ผม คุณ ท่าน มัน ใคร"
    " อะไร ไหน ทำไม อย่างไร เมื่อ ถ้า หาก เพราะ จึง ดังนั้น การ ความ ทุก บาง หลาย มาก น้อย กว่า ที่สุด อีก เพียง"
    " แค่ เท่า ทั้ง ระหว่าง หลัง ก่อน ขึ้น ลง เข้า สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ ออก กัน เอง ครับ ค่ะ คะ นะ ๆ"
    " ฯ ฯลฯ อย่าง ทำ เลย พอ ส่วน ผู้ ละ เช่น",
    "lo": "ແລະ ຫຼື ແຕ່ ຂອງ ທີ່ ຊຶ່ງ ໃນ ນອກ ເທິງ ຈາກ ເຖິງ ກັບ ຕໍ່ ເພື່ອ ໂດຍ ດ້ວຍ ຕາມ ເປັນ ແມ່ນ ຢູ່ ມີ ບໍ່ ໄດ້ ໃຫ້ ຈະ ກໍ ວ່າ ນີ້"
    " ນັ້ນ ມາ ໄປ ແລ້ວ ຍັງ ກຳລັງ ຕ້ອງ ຄວນ ອາດ ເຂົາ ລາວ ເຮົາ ຂ້ອຍ ທ່ານ ໃຜ ຫຍັງ ເມື່ອ ຖ້າ ເພາະ ຈຶ່ງ ການ ຄວາມ ທຸກ ບາງ"
    " ຫຼາຍ ກວ່າ ທີ່ສຸດ ອີກ ພຽງ ທັງ ລະຫວ່າງ ຫຼັງ ກ່ອນ ຂຶ້ນ ລົງ ເຂົ້າ ອອກ ກັນ ເອງ ຜູ້ ໆ",
    "km": "និង ឬ ប៉ុន្តែ តែ របស់ ដែល ក្នុង លើ ក្រោម ពី ដល់ ទៅ មក ជាមួយ ចំពោះ ដើម្បី ដោយ តាម ជា គឺ នៅ មាន មិន បាន"
    " ឱ្យ ឲ្យ នឹង ក៏ ថា នេះ នោះ ហើយ នៅតែ កំពុង ត្រូវ គួរ អាច គេ គាត់ យើង ខ្ញុំ អ្នក លោក វា នរណា អ្វី ណា ហេតុអ្វី ពេល"
    " បើ ប្រសិនបើ ព្រោះ ដូច្នេះ ការ គ្រប់ ខ្លះ ច្រើន ជាង បំផុត ទៀត គ្រាន់តែ ទាំង រវាង ក្រោយ មុន ឡើង ចុះ ចូល ចេញ គ្នា"
    " ឯង ៗ",
    "my": "နှင့် နဲ့ သို့မဟုတ် သို့သော် ဒါပေမယ့် ၏ ရဲ့ သည် တယ် က ကို မှာ တွင် မှ သို့ အတွက် ဖြင့် အရ ဖြစ် ရှိ မ မဟုတ် ခဲ့ မည် မယ် လည်း ဟု လို့ ဒီ"
    " ဤ ထို ဒါ ပြီး သေး နေ ရ ရမည် သင့် နိုင် သူ သူတို့ ကျွန်တော် ကျွန်မ ကျွန်ုပ် ခင်ဗျား ဘယ်သူ ဘာ ဘယ် ဘာကြောင့် အခါ လျှင် ရင်"
    " ကြောင့် ထို့ကြောင့် အားလုံး တချို့ များ တဲ့ တာ ထား စေ မှု င်း ဟာ ထက် ဆုံး သာ နှစ် တို့ တွေ ပါ ဖို့ အနက် ကြ ပဲ လေ ပေး လာ သွား",
    "zh": "的 了 在 是 我 有 和 就 不 人 都 一 一个 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己"
    " 这 那 他 她 它 们 我们 你们 他们 她们 它们 这个 那个 这些 那些 这样 那样 这里 那里 什么 怎么"
    " 怎样 为什么 谁 哪 哪里 与 及 以及 或 或者 但 但是 而 而且 并 并且 因为 所以 因此 如果 虽然"
    " 然而 不过 只是 只有 只要 就是 还是 还 还有 又 再 才 已 已经 曾 曾经 正在 将 将会 可以 可能"
    " 能 能够 应该 应 必须 需要 把 被 让 使 给 对 对于 关于 从 自 向 往 由 于 以 为 为了 按照 根据"
    " 通过 随着 其 其中 其他 其它 之 之后 之前 之间 以后 以前 以来 时 时候 后 前 中 内 外 里 下 多"
    " 少 更 最 非常 比较 十分 每 各 某 任何 所有 一些 一种 一样 一直 一定 一下 一次 几 两 二 三 个"
    " 次 年 月 日 等 等等 来 出 起来 出来 进行 成为 作为 表示 认为 称 指出 没 吗 呢 吧 啊 所 此"
    " 此外 同时 目前 现在 许多 很多 個 這 個人 我們 你們 他們 這個 那個 這些 這樣 什麼 怎麼 為"
    " 為了 與 說 會 對 於 還 還是 沒 沒有 來 時 時候 後 之後 裡 過 從 將 讓 給 並 並且 因為 雖然"
    " 已經 應該 進行 成為 認為 許多 而是 以为 有人 跟着 重新 不是 不会 不能 不要 不同 就会 都是"
    " 也是 都有 太 当 当时 那么 这么 之一 由于 至 却 只 便 仍 仍然 甚至 尤其 即 即使 无论 无法"
    " 不仅 不少 有些 有的 一起 一般 大家 觉得 知道 看到 得到 除了 包括 而已 這裡 那裡 哪裡 那麼"
    " 這麼 當 當時 卻 僅 無法 不會 覺得 開始 开始",
    "ja": "あの あり ある あれ い いい いう いく いけ いた いて います いる う うち え お おり か"
    " から が ください くる けど けれど こう ここ こそ こと この これ さ さらに さん し しか"
    " しかし した して しまう します す すべて する ず せ せる そう そこ そして その それ それぞれ"
    " た たい ため たら だ だけ だっ だった つ つい つつ て てい で でき できる でし でした です"
    " でも と という といった とき ところ として とともに との とも どう どの どれ な ない なか"
    " ながら なく なけれ なっ なった など なら なり なる なん に にて について において によって"
    " により による にとって に対して ね の ので のに のみ は ば へ べき ほど ます まし ました"
    " ませ ません また まで まま み も もう もの や やっ よ よう ように より よる ら らしい られ"
    " られる り る れ れる わ われ を ん んで んだ 私 僕 彼 彼女 何 的 者 等 中 上 下 前 後 時 年"
    " 月 日 人 今 方 私たち 一 二 三 分 って たり わたし ぼく いま あいだ すっかり とても もっと"
    " ちょっと あまり だから でしょう だろう みたい ような そんな こんな どんな いつも まだ すぐ"
    " やはり つまり なお および または にも では には とは からは までに られた された される"
    " しました しています している していた ている ています",
    "ko": "그 그것 그녀 그는 그들 그러나 그런 그리고 그래서 그의 그렇게 나 나는 내 너 누구 는 다"
    " 다른 다시 당신 더 도 두 된 된다 될 되는 되어 등 따라 때 때문 때문에 또 또는 또한 를 많은"
    " 매우 모두 모든 못 무엇 및 바로 밖에 부터 뿐 수 아니 아니라 아주 안 약 어떤 어떻게 없는 없다"
    " 없이 에 에서 여기 여러 오늘 와 왜 우리 우리는 위한 위해 으로 은 을 의 이 이것 이는 이라고"
    " 이런 이렇게 이번 이후 있고 있는 있다 있다고 있던 있도록 있어 있었다 있으며 있을 있지만 저"
    " 저는 전 정말 제 조금 좀 주 중 지금 지난 참 통해 하게 하고 하기 하는 하며 하면 하지 하지만 한"
    " 한다 할 함께 합니다 해 해서 했다 했다고 혹은 것 것은 것을 것이 것이다 가 가장 같은 같이 거의"
    " 게 경우 관련 관한 대한 대해 데 동안 위",
    "vi": "ai anh bạn bằng bị bởi cho chúng chưa chỉ chị con càng các cái còn có cùng cũng cả cần"
    " của do dưới em giữa gì hay hoặc hơn khi không kể là lên lúc lại mà mình mọi mỗi một ngay"
    " nhiều nhưng nhất những nào này nên nó nơi nếu phải qua quá ra rất rằng rồi sau sẽ sự ta theo"
    " thì thể trong trên trước tuy tôi tại từ việc và vào vì vẫn về với vừa đang đi đâu đây đã đó"
    " được đến đều để ở",
    "id": "ada adalah agar akan aku anda antara apa apakah atas atau bagi bahwa banyak baru"
    " beberapa belum bisa bukan dalam dan dapat dari demikian dengan di dia dua dulu hal hanya"
    " harus hingga ia ini itu jadi jika juga kalau kami kamu karena kata ke kembali kemudian"
    " kepada ketika kita lagi lain lalu lebih maka masih melakukan memang mereka merupakan namun"
    " oleh pada para pernah pun saat saja sama sampai sangat saya sebagai sebelum sebuah secara"
    " sedang sehingga sejak sekarang selain semua seorang seperti serta sesuai setelah setiap"
    " suatu sudah tahun tak tanpa tapi telah tentang terhadap tersebut tetapi tidak untuk yaitu"
    " yakni yang",
}

LANGUAGES = frozenset(_LISTS)
"""Languages with a list."""

_LATIN = frozenset("cs da de en es fi fr hu id it nb nl pl pt ro sv tr vi".split())
_CONTRACTED = re.compile(r"n't$|'(?:re|ll|ve|m|d)$")
# Letters up to which a word in lower case is taken for a stop word where there is no list.
_SHORT = 3
# Share of a text's words: running text has a third and more on the list of its language.
_SURE = 0.08


def is_stopword(name: str, written: str, language: str) -> bool:
    """Whether the word with this key is a stop word, alone or joined to another: `we're`, `وفي`."""
    if not language:
        return len(name) <= _SHORT and written.islower()
    stop = _keys(language)
    return (
        name in stop
        or ("'" in name and _CONTRACTED.search(name) is not None)
        or (language == "ar" and name[0] in "وف" and name[1:] in stop)
    )


@cache
def _keys(language: str) -> frozenset[str]:
    """The stop words of pages in a language.

    Pages in other scripts have English phrases between; in Latin script `but` may be a goal.
    """
    words = _list(language) if language in _LATIN else _list(language) | _list("en")
    return frozenset(key(word, language) for word in words)


@cache
def _list(language: str) -> frozenset[str]:
    found = _LISTS.get(language, "").split()
    shipped = thai_corpus("stopwords_th.txt") if language == "th" else None
    if shipped:
        found += shipped.read_text("utf-8-sig").replace("\ufeff", "").split()
    return frozenset(found)


def likely_language(counts: Iterable[tuple[str, int]]) -> str:
    """The language whose stop words are most of some words and their counts, empty if none is."""
    hits = dict.fromkeys(_LISTS, 0)
    total = 0
    for word, count in counts:
        total += count
        for language in _languages_of().get(word, ()):
            hits[language] += count
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] > _SURE * total else ""


@cache
def _languages_of() -> dict[str, list[str]]:
    """Each stop word to the languages that have it."""
    languages: dict[str, list[str]] = {}
    for language in _LISTS:
        for word in _list(language):
            languages.setdefault(word, []).append(language)
    return languages
