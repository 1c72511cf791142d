"""How far reactions are from the laws of a contact problem in space; computed without Picus."""
import numpy


def error(W, q, mu, r):
    """|r - P_K(r - rho (u + mu |u_T| n))| / (rho |q|), rho = rows / trace W."""
    rho = len(r) / W.diagonal().sum()
    u = (W @ r + q).reshape(-1, 3)
    u[:, 0] += mu * numpy.linalg.norm(u[:, 1:], axis=1)
    z = r.reshape(-1, 3) - rho * u
    t = numpy.linalg.norm(z[:, 1:], axis=1)
    inside, polar = t <= mu * z[:, 0], mu * t <= -z[:, 0]
    normal = (z[:, 0] + mu * t) / (1 + mu**2)
    edge = numpy.column_stack([normal, z[:, 1:] * (mu * normal / numpy.where(t > 0, t, 1))[:, None]])
    nearest = numpy.where(inside[:, None], z, numpy.where(polar[:, None], 0, edge))
    return numpy.linalg.norm(r.reshape(-1, 3) - nearest) / (rho * numpy.linalg.norm(q))
