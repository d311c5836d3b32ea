"""Icelandic abbreviations that end in a period."""

from __future__ import annotations

from nccp.languages.abbreviations import Abbreviations, words

ABBREVIATIONS = Abbreviations(
    never_last=words(
        """
        hr fr sr dr próf st th frk hæstv sbr skv ca þ.e þ.e.a.s t.d m.a s.s m.ö.o þ.á.m u.þ.b a.m.k f.h nefnil
        alm ritstj forstj
        """
    ),
    numbered=words("nr bls kl mynd árg útg kafli tbl"),
    seldom_last=words(
        """
        ehf hf sf ohf slf svf kr gr mgr tölul o.s.frv o.fl o.þ.h o.þ.u.l sl nk millj þús ma m.v klst mín sek
        kg km cm jan feb apr jún júl ág sept okt nóv des jr ath sd e.kr f.kr e.h stk b.sc m.sc ph.d
        """
    ),
    starters=words(
        """
        að aðeins allir allt annar annars auk á áður árið bara bæði börn eða ef eftir einnig einn ekki ekkert
        en enda enn er eru ég fjöldi flestir fleiri fram frá fyrir fyrst fólk hann hans hefur henni
        hér hin hins hinn hjá hún hver hvernig hvers hversu hvar hvað í ísland já konan líka maður margir
        með meðal menn meira mikið mikil milli nei nú nýr og okkar sagði samkvæmt segir sem seinna síðan
        síðar sjá sumir svo til um undir upp var vegna verður við voru ýmsir yfir þar þannig þau þá þær
        þegar þeir þess þessi þetta þessir það því þótt þó öll
        """
    ),
)
