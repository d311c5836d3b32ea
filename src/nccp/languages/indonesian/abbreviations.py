"""Indonesian abbreviations that end in a period."""

from __future__ import annotations

from nccp.languages.abbreviations import Abbreviations, words

ABBREVIATIONS = Abbreviations(
    never_last=words(
        """
        dr drs dra drh prof ir hj k.h moh mohd muh muhd tn ny nn sdr sdri bpk yth kol letkol brigjen mayjen
        letjen jend kapt st mr mrs ms vs jl jln gg tgl kec kab kel prov a.n u.p d.a d.h lih mis
        """
    ),
    numbered=words("no nos nr hal hlm ps psl bab gbr tab vol ed kav blok rt rw tel telp rp pkl"),
    seldom_last=words(
        """
        tbk inc ltd corp co bros dkk dll dst dsb dlsb spt sbb s.sos s.pd s.pt s.kom s.ked s.hum s.ag s.ip
        m.si m.pd m.kom m.hum m.ag m.sc b.sc ph.d sp.a sp.og jr sr jan feb mar apr jun jul agt agu agust sep
        sept okt nov des
        """
    ),
    starters=words(
        """
        ada adalah adapun agar akan akibatnya aku anda antara apa apakah apalagi atau atas bagaimana bagi
        bahkan bahwa banyak beberapa begitu belum berdasarkan berikut bila bisa bukan dalam dan dari demikian
        dengan di dia dua entah hal hampir hanya harus hingga ia inilah ini itu itulah jadi jangan jika juga
        kalau kami kapan karena ke kebanyakan kecuali kedua kemudian kendati kepada ketika kini kita lalu
        maka mana masih melalui memang menurut mereka meski meskipun mengapa misalnya namun oleh pada padahal
        para pertama saat sang saya sayangnya sebab sebagai sebagian sebelum sebelumnya sebuah sedangkan
        sehingga sejak sejumlah sekarang selain selama semua sementara seorang seperti sering serta setelah
        setiap siapa sudah tak tanpa tapi telah tentang tetapi tidak untuk walau walaupun yang
        """
    ),
)
