# What testdata/lprof/w_lines.lprof is a profile of.



@profile
def slow(n):
    s = 0
    for i in range(n):
        s += i * i      # hot line
        if i % 100 == 0:
            s ^= 1
    return s
@profile
def strings(n):
    out = []
    for i in range(n):
        out.append('%05d' % i)
    return ''.join(out)
@profile
def never(): return 1
class K:
    @profile
    def meth(self, n):
        return [slow(5) for _ in range(n)]
@profile
def straße_函数(n):
    return sum(range(n))
