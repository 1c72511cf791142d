#!/usr/bin/env python3
"""Event-driven integration of the woodpecker toy (three planar Coulomb contacts).

Model and equation numbers: Ch. Glocker, C. Studer, "Formulation and Preparation for
Numerical Evaluation of Linear Complementarity Systems in Dynamics", Multibody Syst. Dyn. 2005.

M is constant, h is affine in q and the force directions are constant.  In a fixed contact
mode the motion is therefore x' = A x with x = (y, phi_M, phi_S, v, omega_M, omega_S, 1), and
it is propagated by exp(A t).  Every monitored quantity (gap, slip velocity, contact force,
friction reserve) is a row vector r with the value r.x and the time derivative r.A.x.

usage: woodpecker_event_driven.py [t_end [sampling_step [tolerance]]]
"""
import sys
from itertools import product
import numpy as np

# parameters and initial state, Table I (SI units)
rO, rM, hM, lM, lG, hS, lS = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
mM, mS, JM, JS, cphi, grav = 0.0003, 0.0045, 5.0e-9, 7.0e-7, 0.0056, 9.81
EN, ET, MU = (0.5, 0.0, 0.0), (0.0, 0.0, 0.0), (0.3, 0.3, 0.3)
Q0 = np.array([0.0, -(rM - rO)/hM, -0.2788])    # phi_M = -0.1036 moved onto g_N2 = 0
U0 = np.array([-0.3411, 0.0, -7.4583])
# (14): M, and h = h0 + Hq q
M = np.array([[mS + mM, mS*lM, mS*lG], [mS*lM, JM + mS*lM**2, mS*lM*lG],
              [mS*lG, mS*lM*lG, JS + mS*lG**2]])
Minv = np.linalg.inv(M)
h0 = -grav*np.array([mS + mM, mS*lM, mS*lG])
Hq = -cphi*np.array([[0.0, 0, 0], [0, 1, -1], [0, -1, 1]])
# (15), (16): gaps g = g0 + WN q; row i of WN, WT is w_Ni, w_Ti
g0 = np.array([lM + lG - lS - rO, rM - rO, rM - rO])
WN = np.array([[0, 0, -hS], [0, hM, 0], [0, -hM, 0]])
WT = np.array([[1, lM, lG - lS], [1, rM, 0], [1, rM, 0]])

ARG = [float(a) for a in sys.argv[1:]] + [40.0, 1e-5, 1e-10][len(sys.argv) - 1:]
T_END, STEP, TOL = ARG      # s; sampling step of the event search, s; zero tests
OPEN, STICK, SLIPP, SLIPM = 'open', 'stick', 'slip+', 'slip-'
SIGN = {SLIPP: 1.0, SLIPM: -1.0}
Z = np.zeros((3, 3))
GAP = np.hstack([WN, Z, g0[:, None]])           # g_N, (15)
GN = np.hstack([Z, WN, Z[:, :1]])               # gamma_N, (10)
GT = np.hstack([Z, WT, Z[:, :1]])               # gamma_T, (10)
H = np.hstack([Hq, Z, h0[:, None]])             # h, (14)

def expm(A, t):
    """exp(A t): Taylor series on t/2^s and s squarings (all rates are below 1200/s)."""
    s = max(0, int(np.ceil(np.log2(4800*abs(t) + 1e-300))))
    B, E = A*(t/2.0**s), np.eye(7)
    for k in range(22, 0, -1):
        E = np.eye(7) + B @ E/k
    for _ in range(s):
        E = E @ E
    return E

def directions(states):
    """Force rows F, constraint rows G and (contact, is_tangential) of each row, from (9), (12).
    A sliding contact has Lambda_T = -+ mu Lambda_N, a sticking one two free multipliers."""
    F, G, key = [], [], []
    for i, s in states.items():
        if s != OPEN:
            F.append(WN[i] - SIGN.get(s, 0.0)*MU[i]*WT[i]); G.append(WN[i]); key.append((i, 0))
        if s == STICK:
            F.append(WT[i]); G.append(WT[i]); key.append((i, 1))
    return np.array(F).reshape(-1, 3), np.array(G).reshape(-1, 3), key

def contact_forces(states, key, L):
    """{contact: (Lambda_N, Lambda_T)} of the contacts that are not open."""
    L = dict(zip(key, L))
    return {i: (L[i, 0], L[i, 1] if s == STICK else -SIGN[s]*MU[i]*L[i, 0])
            for i, s in states.items() if s != OPEN}

class Mode:
    """Linear dynamics of one contact mode; lam: contact forces as rows in x."""
    def __init__(self, states):
        self.states = states
        F, self.G, key = directions(states)
        D = self.G @ Minv @ F.T
        self.valid = np.linalg.matrix_rank(D, 1e-9*abs(D).max(initial=0)) == len(key)
        if not self.valid:
            return
        L = -np.linalg.solve(D, self.G @ Minv @ H)              # G a = 0
        self.lam = contact_forces(states, key, L)
        self.acc = Minv @ (H + F.T @ L)                         # (6), impact-free
        self.A = np.vstack([np.hstack([Z, np.eye(3), Z[:, :1]]), self.acc, np.zeros(7)])
        self.mon = [(i, 'gap closes', GAP[i]) for i, s in states.items() if s == OPEN]
        for i, (lN, lT) in self.lam.items():                    # rows that must stay positive
            self.mon.append((i, 'normal force vanishes', lN))
            if states[i] == STICK:
                self.mon.append((i, 'cone left at lamT=+mu lamN', MU[i]*lN - lT))
                self.mon.append((i, 'cone left at lamT=-mu lamN', MU[i]*lN + lT))
            else:
                self.mon.append((i, 'slip velocity vanishes', SIGN[states[i]]*GT[i]))
        self.R = np.array([r for _, _, r in self.mon])
        self.samples = np.array([expm(self.A, k*STEP) for k in range(65)])

    def project(self, x):
        """x with rounding errors in the constraints of the closed contacts removed."""
        x, G = x.copy(), self.G
        x[3:6] -= Minv @ G.T @ np.linalg.solve(G @ Minv @ G.T, G @ x[3:6])
        for i in self.lam:
            x[0:3] -= WN[i]*(GAP[i] @ x)/(WN[i] @ WN[i])
        return x

MODES = {s: Mode(dict(enumerate(s))) for s in product((OPEN, STICK, SLIPP, SLIPM), repeat=3)}

def lex_positive(r, x, A):
    """True if r.x(t) > 0 right after the instant: first non-zero derivative is positive."""
    for _ in range(5):
        if abs(r @ x) > TOL*(np.abs(r) @ np.abs(x)):
            return r @ x > 0
        r = r @ A
    return True

def next_mode(x, closed):
    """The mode consistent on acceleration level; closed: contacts with g_N = gamma_N = 0."""
    choices, found = [(OPEN,)]*3, []
    for i in closed:
        gT = GT[i] @ x
        choices[i] = (OPEN, STICK, SLIPP, SLIPM) if abs(gT) < TOL else (OPEN, SLIPP if gT > 0 else SLIPM)
    for s in product(*choices):
        m = MODES[s]
        if m.valid:
            rows = [r for i, kind, r in m.mon if s[i] == STICK or kind[:6] == 'normal']
            rows += [WN[i] @ m.acc for i in closed if s[i] == OPEN]
            rows += [SIGN[s[i]]*WT[i] @ m.acc for i in closed if s[i] in SIGN and STICK in choices[i]]
            if all(lex_positive(r, x, m.A) for r in rows):
                found.append(m)
    assert len(found) == 1, 'acceleration level: %d solutions' % len(found)
    return found[0]

def impact(u, closed):
    """(11), (12) for all closed contacts as one problem, by trying all 4^k states."""
    found = []
    for s in product((OPEN, STICK, SLIPP, SLIPM), repeat=len(closed)):
        st = dict(zip(sorted(closed), s))
        F, G, key = directions(st)
        b = np.array([-(1 + (ET if tang else EN)[i])*(g @ u) for g, (i, tang) in zip(G, key)])
        D = G @ Minv @ F.T
        L = np.linalg.lstsq(D, b, rcond=1e-12)[0]
        if np.abs(D @ L - b).max(initial=0) > TOL:              # over-determined state
            continue
        up, lam = u + Minv @ F.T @ L, contact_forces(st, key, L)
        ok = all(WN[i] @ (up + EN[i]*u) > -TOL for i in st)
        for i, (LN, LT) in lam.items():
            ok &= LN > -1e-14 and abs(LT) < MU[i]*LN + 1e-14
            ok &= st[i] == STICK or SIGN[st[i]]*(WT[i] @ (up + ET[i]*u)) > -TOL
        if ok and not any(np.abs(up - f[0]).max() < 1e-8 for f in found):
            found.append((up, lam, st))
    assert len(found) == 1, 'impact: %d solutions' % len(found)
    return found[0]

def bisect(neg, a, b):
    """Start of the set where neg holds, neg(b) true; to the last bit."""
    while a < (c := 0.5*(a + b)) < b:
        a, b = (a, c) if neg(c) else (c, b)
    return b

def next_event(m, x, tmax):
    """First time a monitored row of mode m turns negative: sampling, then bisection."""
    t, xs, RA = 0.0, x, m.R @ m.A
    while t < tmax:
        X = m.samples @ xs
        f, df = X @ m.R.T, X @ RA.T
        dip = (df[:-1] < 0) & (df[1:] > 0) & (t + np.arange(64)[:, None] > 0)
        for k in np.flatnonzero((dip | (f[1:] < 0)).any(axis=1)):
            hits = []
            for j in range(len(m.mon)):
                at, b = (lambda s: expm(m.A, s) @ X[k]), STEP
                if f[k + 1, j] >= 0 and dip[k, j]:              # minimum between two samples
                    b = bisect(lambda s: RA[j] @ at(s) > 0, 0.0, STEP)
                if m.R[j] @ at(b) < 0:
                    hits.append((bisect(lambda s: m.R[j] @ at(s) < 0, 0.0, b), j))
            if hits:
                te = t + k*STEP + min(hits)[0]
                return te, expm(m.A, te) @ x, m.mon[min(hits)[1]][:2]
        t, xs = t + 64*STEP, X[64]
    return tmax, None, (None, 'end')

def simulate(x, m, tmax):
    """Smooth pieces: (t, x, mode, length, x before event, contact, kind, impact, x after, mode)"""
    t = 0.0
    while True:
        dt, xe, (i, kind) = next_event(m, x, tmax - t)
        if kind == 'end':
            return
        closed, imp, xp = set(m.lam), None, xe.copy()
        if kind == 'gap closes':
            imp = impact(xe[3:6], closed | {i})
            xp[3:6] = imp[0]
            closed = {c for c in closed | {i} if GN[c] @ xp < TOL}
        mn = next_mode(xp, closed)
        xp = mn.project(xp)
        yield t, x, m, dt, xe, i, kind, imp, xp, mn
        t, x, m = t + dt, xp, mn

def friction_loss(m, x, dt):
    """-int lamT gamma_T dt of each contact, Gauss-Legendre on panels below 1 ms."""
    W, n = np.zeros(3), int(dt/1e-3) + 1
    for p, (z, w) in product(range(n), zip(*np.polynomial.legendre.leggauss(16))):
        y = expm(m.A, (p + 0.5 + 0.5*z)*dt/n) @ x
        for i, (_, lT) in m.lam.items():
            W[i] -= 0.5*w*dt/n*(lT @ y)*(GT[i] @ y)
    return W

def extrema(m, x, dt, c):
    """End and stationary values of component c of x over a smooth piece."""
    ts = np.linspace(0.0, dt, int(dt/1e-4) + 2)
    rate = lambda s: m.A[c] @ expm(m.A, s) @ x
    v, d = [x[c], (expm(m.A, dt) @ x)[c]], [rate(s) for s in ts]
    for a, b, da, db in zip(ts, ts[1:], d, d[1:]):
        if da*db < 0:
            v.append((expm(m.A, bisect(lambda s: rate(s)*db > 0, a, b)) @ x)[c])
    return v

def main():
    x = np.concatenate([Q0, U0, [1.0]])
    beaks, pre, rho = [], [], 0.0
    for t, _, m, dt, xe, i, kind, imp, xp, mn in simulate(x, next_mode(x, {1}), T_END):
        if (i, kind) == (0, 'gap closes'):
            beaks.append(t + dt); pre.append(xe[1:6]); start = (xp, mn)
            d = np.abs(pre[-1] - pre[-2]).max() if len(pre) > 1 else 1.0
            if d > 1e-6 and len(pre) > 2:           # multiplier of the return map
                rho = (pre[-1] - pre[-2])[4]/(pre[-2] - pre[-3])[4]
    print('%d beak impacts, the first at\n  %s' % (len(beaks), '\n  '.join('%.13f' % t for t in beaks[:8])))
    print('last change of pre-impact state %.1e, multiplier of the return map %.5f' % (d, rho))
    # one cycle between beak impacts, t = 0 and y = 0 just after the first of them
    x0, m = start[0]*np.array([0, 1, 1, 1, 1, 1, 1]), start[1]
    Wn, Wt, Wf, ext = np.zeros(3), np.zeros(3), np.zeros(3), [[] for _ in range(6)]
    for t, x, m, dt, xe, i, kind, imp, xp, mn in simulate(x0, m, 1.0):
        print('%.14f  contact %d %-27s next: %s' % (t + dt, i + 1, kind, ' '.join(mn.states.values())))
        Wf += friction_loss(m, x, dt)
        for c in range(6):
            ext[c] += extrema(m, x, dt, c)
        for c, (LN, LT) in (imp[1] if imp else {}).items():
            Wn[c] -= 0.5*LN*(GN[c] @ (xe + xp)); Wt[c] -= 0.5*LT*(GT[c] @ (xe + xp))
            print('   %s: gN %.13g -> %.13g, gT %.13g -> %.13g, LN %.13g, LT %.13g\n   u %s -> %s' % (
                imp[2][c], GN[c] @ xe, GN[c] @ xp, GT[c] @ xe, GT[c] @ xp, LN, LT, xe[3:6], xp[3:6]))
        if (i, kind) == (0, 'gap closes'):
            break
    print('closure %.1e' % np.abs((xp - x0)[1:6]).max())
    print('period %.15g\ndescent %.15g\nmean speed %.15g' % (t + dt, -xp[0], -xp[0]/(t + dt)))
    for n, v in list(zip('y phi_M phi_S v omega_M omega_S'.split(), ext))[1:]:
        print('%-8s min %.14g  max %.14g' % (n, min(v), max(v)))
    for n, w in ('impact normal', Wn), ('impact tangential', Wt), ('sliding', Wf):
        print('loss, %-18s contacts 1-3: %.13g %.13g %.13g  sum %.13g' % (n, *w, w.sum()))
    tot, ref = (Wn + Wt + Wf).sum(), -(mS + mM)*grav*xp[0]
    print('loss total %.14g, (mS+mM) g descent %.14g, difference %.1e' % (tot, ref, tot - ref))

np.set_printoptions(precision=13)
main() if __name__ == '__main__' else None
