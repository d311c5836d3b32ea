# cython: language_level=3
"""Plain trees out of brackets, compiled: phrases of nodes, tags over one word each, nothing else.

`nccp.trees.brackets` reads all there is without it, at half of the speed. Where a compiler was at hand
when nccp was installed, it leaves to this what needs no thought.
"""

from cpython.list cimport PyList_Append
from cpython.object cimport PyObject, PyTypeObject
from cpython.ref cimport Py_INCREF
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH
from libc.string cimport memcmp

from sys import intern

from nccp.trees.tree import Tree

cdef extern from "structmember.h":
    ctypedef struct PyMemberDef:
        Py_ssize_t offset

    ctypedef struct PyMemberDescrObject:
        PyMemberDef* d_member


cdef Py_ssize_t _LABEL = (<PyMemberDescrObject*>Tree._label).d_member.offset
cdef Py_ssize_t _SPAN = (<PyMemberDescrObject*>Tree._span).d_member.offset
cdef tuple _NOTHING = ()
cdef list _labels = [None] * 1024  # those met, each at the place that its letters add up to


cdef inline bint _blank(char c) noexcept:
    return c == b" " or b"\t" <= c <= b"\r"


cdef inline bint _inside(char c) noexcept:
    """Whether a label or a word goes on."""
    return c != b"(" and c != b")" and not _blank(c)


cdef str _label(const char* name, Py_ssize_t size):
    """A label as text, the same object each time; None if it has white space in it."""
    cdef Py_ssize_t place = size, i
    for i in range(size):
        place = (place * 31 + name[i]) & 1023
    known = <object>_labels[place]
    if known is not None and PyUnicode_GET_LENGTH(known) == size and not memcmp(PyUnicode_DATA(known), name, size):
        return known
    label = intern(name[:size].decode())
    if label and label.split() != [label]:
        return None
    if label.isascii():
        _labels[place] = label
    return label


cdef inline void _fill(object node, Py_ssize_t slot, object value) noexcept:
    """Set an empty slot of a new node, in half the time of ``node.name = value``."""
    Py_INCREF(value)
    (<PyObject**>(<char*><PyObject*>node + slot))[0] = <PyObject*>value


cdef object _add_node(object parent, str label):
    node = (<PyTypeObject*>Tree).tp_new(<type>Tree, <PyObject*>_NOTHING, NULL)
    _fill(node, _LABEL, label)
    PyList_Append(parent, node)
    return node


def read_plain(bytes part):
    """The trees of a part, up to the first that is not plain or not whole, and where they end."""
    cdef const char* text = part  # a NUL byte stands behind its end
    cdef Py_ssize_t at = 0, end = len(part), done = 0, begin, position = 0
    cdef list trees = [], stack = []
    cdef object top = trees
    cdef str label
    try:
        while True:
            while _blank(text[at]):
                at += 1
            if text[at] == b")" and stack:
                at += 1
                top = stack.pop()
            elif text[at] == b"(":
                at += 1
                begin = at
                while at < end and _inside(text[at]):
                    at += 1
                label = _label(text + begin, at - begin)
                if label is None or not _blank(text[at]):
                    break
                while _blank(text[at]):
                    at += 1
                begin = at
                while at < end and _inside(text[at]):
                    at += 1
                if begin == at:  # "(NP (", or the end, or an empty node
                    if text[at] != b"(":
                        break
                    stack.append(top)
                    top = _add_node(top, label)
                elif label == "" or text[at] != b")":
                    break
                else:
                    word = text[begin:at].decode()
                    node = _add_node(top, label)
                    PyList_Append(node, word)
                    _fill(node, _SPAN, position)
                    position += 1
                    at += 1
            else:
                break
            if not stack:
                done, position = at, 0
    except UnicodeDecodeError:  # the caller meets it again, and knows where
        pass
    if stack:  # the last tree is not whole
        trees.pop()
    return trees, done
