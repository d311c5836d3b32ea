"""English abbreviations that end in a period."""

from __future__ import annotations

from nccp.languages.abbreviations import Abbreviations, words

ABBREVIATIONS = Abbreviations(
    never_last=words(
        """
        mr mrs ms messrs mme mlle dr drs prof rev hon gov lt col gen maj capt cmdr adm sgt cpl pvt brig sen
        sens rep reps atty supt insp st ste mt ft vs viz cf e.g i.e ca approx resp figs eqs refs vols pp eds
        """
    ),
    numbered=words("no nos fig figs eq eqs ref refs sec secs chap vol vols art app tab p pp vers ver"),
    seldom_last=words(
        """
        inc corp co cos ltd llc bros plc etc jr sr esq phd ph.d ave blvd rd hwy bldg dept univ al est assn
        assoc jan feb apr jun jul aug sept oct nov dec tue tues thu thur thurs ala ariz ark calif colo conn
        fla kan ky mich minn mont neb nev okla ore pa penn tenn tex va vt wis wyo oz lb lbs hr hrs yr yrs
        """
    ),
    starters=words(
        """
        a about according after all although an and another as at because before but by despite during each
        even every everyone few finally first for from further given he hence her here his how however i if
        in indeed instead it its just last later let many meanwhile more moreover most much my nevertheless
        next no nobody nor not nothing now of on once one only or other others our over perhaps please
        several she since so some somebody someone sometimes soon still such that the their then there
        therefore these they this those though through thus to today two under unlike until we well what
        whatever when where whereas whether which while who whose why with within without yes yet you your
        """
    ),
)
